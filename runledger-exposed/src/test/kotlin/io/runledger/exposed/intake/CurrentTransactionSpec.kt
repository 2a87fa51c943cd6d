package io.runledger.exposed.intake

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.CurrentTransaction
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobSelection
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.transactions.TransactionManager
import org.jetbrains.exposed.v1.jdbc.transactions.suspendTransaction
import org.jetbrains.exposed.v1.jdbc.transactions.transaction
import java.sql.Connection
import java.sql.SQLException
import java.time.Duration
import java.util.concurrent.ExecutionException

class CurrentTransactionSpec :
    FunSpec({
        fun ledger() = freshLedger().apply { define("mail") }

        fun request(key: String? = null, payload: Json = Json.NULL) = JobRequest.builder("mail", payload).apply {
            key?.let { idempotencyKey(it) }
        }.build()

        fun TestLedger.joining(current: CurrentTransaction) =
            RunledgerClient.builder(dataSource).joinCurrentTransaction(current).build()

        fun TestLedger.jobs() = value("SELECT count(*) FROM runledger.job_queue")

        test("the calls of every facade join the current transaction") {
            val ledger = ledger()
            val current = HeldConnection()
            val client = ledger.joining(current)

            current.rolledBack(ledger) {
                val job = client.jobs.enqueue(request())
                client.jobs.get(Scope.global(), job.id()).id() shouldBe job.id()
                client.jobs.cancelAllWhere(Scope.global(), JobSelection.any()) shouldBe 1
                client.definitions.disable("mail")
                ledger.jobs() shouldBe "0"
            }

            ledger.jobs() shouldBe "0"
            client.definitions.get("mail").enabled() shouldBe true
        }

        test("the caller's commit publishes what the client did") {
            val ledger = ledger()
            val current = HeldConnection()
            val client = ledger.joining(current)

            current.during(ledger, Connection::commit) {
                client.jobs.enqueue(request())
                client.jobs.enqueueAll(listOf(request("k"), request("k")))
                shouldRefuse(ErrorCode.JOB_IDEMPOTENCY_CONFLICT) { client.jobs.enqueue(request("k", Json.of("1"))) }
                ledger.jobs() shouldBe "0"
            }

            ledger.jobs() shouldBe "2"
        }

        test("without a current transaction each call has its own") {
            val ledger = ledger()
            val client = ledger.joining { null }

            client.jobs.enqueue(request())

            ledger.jobs() shouldBe "1"
        }

        test("a connection in auto-commit mode is not a transaction") {
            val ledger = ledger()
            ledger.dataSource.connection.use { connection ->
                val client = ledger.joining { connection }

                shouldRefuse(ErrorCode.DEFINITION_UNAVAILABLE) {
                    client.jobs.enqueueAll(listOf(request(), JobRequest.builder("unknown", Json.NULL).build()))
                }
                ledger.jobs() shouldBe "0"
                client.jobs.enqueue(request())
                ledger.jobs() shouldBe "1"
                connection.isClosed shouldBe false
            }
        }

        test("an idempotency key needs READ COMMITTED in the current transaction") {
            val ledger = ledger()
            val current = HeldConnection(Connection.TRANSACTION_SERIALIZABLE)
            val client = ledger.joining(current)

            current.during(ledger, Connection::commit) {
                shouldRefuse(ErrorCode.JOB_IDEMPOTENCY_ISOLATION) { client.jobs.enqueue(request("k")) }
            }
            client.jobs.enqueue(request("k"))

            ledger.jobs() shouldBe "1"
        }

        test("a read-only transaction refuses a job") {
            val ledger = ledger()
            val current = HeldConnection()
            val client = ledger.joining(current)

            current.rolledBack(ledger) {
                checkNotNull(current.connection()).createStatement().use { it.execute("SET TRANSACTION READ ONLY") }
                shouldRefuse(ErrorCode.DB_READ_ONLY) { client.jobs.enqueue(request()) }
            }

            ledger.jobs() shouldBe "0"
        }

        test("a connection that cannot be asked fails the call with the code of the error") {
            val ledger = ledger()
            val closed = ledger.dataSource.connection.also { it.close() }

            shouldRefuse(ErrorCode.DB_UNREACHABLE) { ledger.joining { closed }.jobs.enqueue(request()) }
            shouldRefuse(ErrorCode.DB_UNREACHABLE) {
                ledger.joining { throw SQLException("gone", "08006") }.jobs.enqueue(request())
            }
            ledger.jobs() shouldBe "0"
        }

        test("calls in own transactions, and those of workers, stay after the rollback") {
            val ledger = ledger()
            val current = HeldConnection()
            val client = ledger.joining(current)

            current.rolledBack(ledger) {
                client.inOwnTransactions().jobs.enqueue(request())
                client.leases.claim(ClaimRequest.of(listOf("mail"), "w", Duration.ofMinutes(1), 1)).size shouldBe 1
            }

            ledger.rows("SELECT status, worker_id FROM runledger.job_queue") shouldBe listOf("LEASED|w")
            ledger.client.inOwnTransactions() shouldBe ledger.client
        }

        test("health, the checker and waits see committed data only") {
            val ledger = ledger()
            val current = HeldConnection()
            val client = ledger.joining(current)

            current.rolledBack(ledger) {
                client.jobs.enqueue(request())
                client.health().longestWait() shouldBe null
                client.verify().jobs() shouldBe 0
                val workflow = WorkflowRequest.builder("mails").apply { job("one") { it.runs("mail", Json.NULL) } }.build()
                val run = client.workflows.enqueue(workflow).runId()
                val missing = shouldThrow<ExecutionException> {
                    client.workflows.await(Scope.global(), run, Duration.ZERO).get()
                }
                checkNotNull(missing.cause?.message) shouldContain ErrorCode.RUN_NOT_FOUND.wire()
                shouldRefuse(ErrorCode.INVALID_ARGUMENT) {
                    client.workers.awaitDrained(WorkerSelection.all(), Duration.ofSeconds(1))
                }
            }
        }

        test("Exposed's transaction of the database is joined, also below one of another database") {
            val ledger = ledger()
            val database = Database.connect(ledger.dataSource)
            val other = Database.connect(ledger.dataSource)
            val client = ledger.joining(CurrentTransaction.exposed(database))

            try {
                transaction(database) {
                    client.jobs.enqueue(request())
                    rollback()
                }
                ledger.jobs() shouldBe "0"

                transaction(database) {
                    client.jobs.enqueue(request())
                    transaction(other) { client.jobs.enqueue(request()) }
                    ledger.jobs() shouldBe "0"
                }
                ledger.jobs() shouldBe "2"

                suspendTransaction(database) {
                    client.jobs.enqueue(request())
                    rollback()
                }
                ledger.jobs() shouldBe "2"
            } finally {
                TransactionManager.closeAndUnregister(database)
                TransactionManager.closeAndUnregister(other)
            }
        }

        test("Exposed's transaction of another database is not joined") {
            val ledger = ledger()
            val database = Database.connect(ledger.dataSource)
            val other = Database.connect(freshLedger().dataSource)
            val client = ledger.joining(CurrentTransaction.exposed(database))

            try {
                transaction(other) {
                    client.jobs.enqueue(request())
                    ledger.jobs() shouldBe "1"
                    rollback()
                }
                client.jobs.enqueue(request())
            } finally {
                TransactionManager.closeAndUnregister(database)
                TransactionManager.closeAndUnregister(other)
            }

            ledger.jobs() shouldBe "2"
        }
    })

/** The transaction that a test holds open on its thread. */
private class HeldConnection(private val isolation: Int = Connection.TRANSACTION_READ_COMMITTED) : CurrentTransaction {
    private val held = ThreadLocal<Connection>()

    override fun connection(): Connection? = held.get()

    fun rolledBack(ledger: TestLedger, work: () -> Unit) = during(ledger, Connection::rollback, work)

    fun during(ledger: TestLedger, end: (Connection) -> Unit, work: () -> Unit) = ledger.dataSource.connection.use {
        it.transactionIsolation = isolation
        it.autoCommit = false
        held.set(it)
        try {
            work()
            end(it)
        } finally {
            held.remove()
        }
    }
}
