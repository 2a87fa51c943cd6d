package io.runledger.samples

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.worker.WorkerLedger
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobStatus
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.JdbcTransaction
import org.jetbrains.exposed.v1.jdbc.transactions.TransactionManager
import org.jetbrains.exposed.v1.jdbc.transactions.transaction
import java.time.Duration

class OrdersBesideTheLedgerSpec :
    FunSpec({
        fun <T> TestLedger.exposed(work: JdbcTransaction.() -> T): T {
            val database = Database.connect(dataSource)
            return try {
                transaction(database) { work() }
            } finally {
                TransactionManager.closeAndUnregister(database)
            }
        }

        fun TestLedger.shop() = apply {
            dataSource.connection.use {
                it.createStatement().execute("CREATE TABLE orders (number text PRIMARY KEY, job_id uuid NOT NULL)")
            }
            client.definitions.declare(OrderJobs.ship)
        }

        test("the order and its job are written together") {
            val ledger = freshLedger().shop()

            val job = ledger.exposed { placeOrder(ledger.client, "A-1") }

            ledger.client.jobs.get(Scope.global(), job).status() shouldBe JobStatus.PENDING
        }

        test("when the order fails, the job was never there") {
            val ledger = freshLedger().shop()

            shouldThrow<IllegalStateException> {
                ledger.exposed {
                    placeOrder(ledger.client, "A-1")
                    error("out of stock")
                }
            }

            WorkerLedger.of(
                ledger.client,
            ).leases.claim(ClaimRequest.of(listOf("orders.ship"), "w1", Duration.ofMinutes(1), 10)) shouldBe
                emptyList()
        }

        test("one query tells which orders are in trouble") {
            val ledger = freshLedger().shop()
            listOf("A-1", "A-2").forEach { order -> ledger.exposed { placeOrder(ledger.client, order) } }
            val first = WorkerLedger.of(
                ledger.client,
            ).leases.claim(ClaimRequest.of(listOf("orders.ship"), "w1", Duration.ofMinutes(1), 1)).single()
            val gaveUp = Verdict.DeadLetter(
                JobFailure.terminal("address.unknown", "no such street"),
                DeadLetterReason.FAILURE_KIND_NON_RETRYABLE,
            )

            WorkerLedger.of(ledger.client).leases.settle(mapOf(first.lease() to gaveUp))

            ledger.exposed { ordersInTrouble(ledger.client) } shouldContainExactly listOf("A-1")
        }
    })
