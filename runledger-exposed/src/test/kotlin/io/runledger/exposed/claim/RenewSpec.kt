package io.runledger.exposed.claim

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.Lease
import io.runledger.model.lease.Renewal.Answer
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.time.Duration
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

class RenewSpec :
    FunSpec({
        test("each lease gets its own answer, in the order asked") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(4) { ledger.enqueue() }
            val (held, done, expired, canceled) = ledger.claim()
            ledger.settle(done, Verdict.Succeed(null))
            ledger.run(
                "UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second' WHERE id = '${expired.lease().jobId()}'",
                "UPDATE runledger.job_queue SET status = 'CANCELED', lease_id = NULL, worker_id = NULL, finished_at = now() " +
                    "WHERE id = '${canceled.lease().jobId()}'",
            )
            val stranger = Lease(held.lease().jobId(), 1, 1, "w1", UUID.randomUUID())

            val answers = ledger.client.leases.renew(
                listOf(done, held, canceled, expired).map {
                    it.lease()
                } + stranger,
                Duration.ofMinutes(9),
            )

            answers.map { it.answer() } shouldContainExactly
                listOf(Answer.LOST, Answer.RENEWED, Answer.CANCELED, Answer.LOST, Answer.LOST)
            ledger.value(
                "SELECT lease_expires_at - last_heartbeat_at FROM runledger.job_queue WHERE id = '${held.lease().jobId()}'",
            )
                .startsWith("00:0") shouldBe true
            ledger.value("SELECT status FROM runledger.job_queue WHERE id = '${expired.lease().jobId()}'") shouldBe "LEASED"
        }

        /** The result of a renewal while [holder] has a lock. A renewal that waits for it fails the test instead of blocking it. */
        fun TestLedger.renewBeside(leases: List<Lease>, holder: (Connection) -> Unit) = dataSource.connection.use { connection ->
            connection.autoCommit = false
            holder(connection)
            val renewal = CompletableFuture.supplyAsync { client.leases.renew(leases, lease) }
            try {
                renewal.get(1, TimeUnit.MINUTES)
            } finally {
                connection.rollback()
            }
        }

        fun Connection.hold(job: Lease) =
            createStatement().execute("SELECT FROM runledger.job_queue WHERE id = '${job.jobId()}' FOR UPDATE")

        test("a foreign lock on one job's row keeps no other lease from being renewed") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(100) { ledger.enqueue() }
            val leases = ledger.claim().map { it.lease() }

            val answers = ledger.renewBeside(leases) { it.hold(leases[42]) }

            answers.filter { it.answer() == Answer.BUSY }.map { it.lease() } shouldContainExactly listOf(leases[42])
            answers.count { it.answer() == Answer.RENEWED } shouldBe 99
            ledger.client.leases.renew(listOf(leases[42]), lease).single().answer() shouldBe Answer.RENEWED
        }

        test("a lease that has run out is lost, whoever holds the row") {
            val ledger = freshLedger().apply { define("mail") }
            ledger.enqueue()
            val job = ledger.claim().single().lease()
            ledger.run("UPDATE runledger.job_queue SET lease_expires_at = clock_timestamp()")

            ledger.renewBeside(listOf(job)) { it.hold(job) }.single().answer() shouldBe Answer.LOST
        }

        test("a job that is just being canceled is busy, and canceled once that has been committed") {
            val ledger = freshLedger().apply { define("mail") }
            val id = ledger.enqueue().id()
            val job = ledger.claim().single().lease()

            val answers = ledger.renewBeside(listOf(job)) {
                ledger.client.within(it).jobs.cancel(Scope.everything(), id)
            }
            ledger.client.jobs.cancel(Scope.everything(), id)

            answers.single().answer() shouldBe Answer.BUSY
            ledger.client.leases.renew(listOf(job), lease).single().answer() shouldBe Answer.CANCELED
        }

        test("a heartbeat of 100 is one statement and leaves no event") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(100) { ledger.enqueue() }
            val leases = ledger.claim().map { it.lease() }
            val counting = CountingDataSource(ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.leases.renew(leases.take(1), lease)

            counting.count { client.leases.renew(leases, lease).all { it.answer() == Answer.RENEWED } shouldBe true } shouldBe 1
            ledger.value("SELECT count(*) FROM runledger.job_journal") shouldBe "0"
        }

        test("a lease must last") {
            val ledger = freshLedger()

            shouldRefuse(ErrorCode.INVALID_LEASE_DURATION) { ledger.client.leases.renew(emptyList(), Duration.ZERO) }
        }
    })
