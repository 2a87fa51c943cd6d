package io.runledger.exposed.intake

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.Ledger
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.claim.BreakingDataSource
import io.runledger.exposed.claim.Moment
import io.runledger.exposed.define
import io.runledger.exposed.directStarts
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.isReleased
import io.runledger.exposed.leases
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.start.JobStarter
import io.runledger.exposed.start.ReservedSlot
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.error.UnavailableException
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobStatus
import io.runledger.model.job.Lease
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.time.Instant

/** A worker that has as many slots as it is asked for, and notes how each of them ends. */
private class FreeWorker(private val isFree: Boolean = true) : JobStarter {
    val asked = mutableListOf<String>()
    val started = mutableListOf<ClaimedJob>()
    val unconfirmed = mutableListOf<Lease>()
    var left = 0

    override fun reserve(jobType: String): ReservedSlot? {
        asked += jobType
        return if (isFree) Slot() else null
    }

    private inner class Slot : ReservedSlot {
        override fun workerId() = "w1"

        override fun lease(): Duration = Duration.ofSeconds(90)

        override fun start(job: ClaimedJob) {
            started += job
        }

        override fun leave() {
            left++
        }

        override fun unconfirmed(lease: Lease) {
            unconfirmed += lease
        }
    }
}

/** A due job of a process with a free worker is enqueued and leased by one statement. */
class EnqueueLeasedSpec :
    FunSpec({
        fun Ledger.worker(isFree: Boolean = true) = FreeWorker(isFree).also { directStarts.register(it) }

        fun TestLedger.queue() = rows("SELECT status, attempt, worker_id, claim_origin FROM runledger.job_queue ORDER BY id")

        val leased = "LEASED|1|w1|WORKER_PRESTART"
        val pending = "PENDING|0||"

        test("the worker gets the job as a claim would have given it, and can end it") {
            val ledger = freshLedger().define("mail")
            ledger.run("""UPDATE runledger.job_definitions SET retry_policy = '{"backoff": "fixed"}'""")
            val request = JobRequest.builder("mail", Json.of("""{"to":"ada"}""")).priority(3).maxAttempts(4)
                .timeout(Duration.ofSeconds(50)).header("locale", "de").build()
            ledger.client.jobs.enqueue(request)
            val claimed = ledger.claim().single()
            val worker = ledger.client.worker()

            val answer = ledger.client.jobs.enqueue(request)

            answer.disposition() shouldBe Disposition.INSERTED
            answer.status() shouldBe JobStatus.LEASED
            val job = worker.started.single()
            job.lease().jobId() shouldBe answer.id()
            fun ClaimedJob.told() = listOf(
                jobType(), payload(), priority(), maxAttempts(), timeout(), headers(), interruptions(), checkpoint(), step(),
                lease().attempt(), lease().runNumber(), lease().workerId(), isLastAttempt,
            )
            job.told() shouldBe claimed.told()
            ledger.client.jobs.get(Scope.everything(), answer.id()).openAttempt()?.leaseExpiresAt() shouldBe job.leaseExpiresAt()
            Duration.between(job.leasedAt(), job.leaseExpiresAt()) shouldBe Duration.ofSeconds(90)

            ledger.settle(job, Verdict.Succeed(null))

            ledger.rows(
                "SELECT event_type FROM runledger.job_events WHERE job_id = '${answer.id()}' ORDER BY id",
            ) shouldContainExactly
                listOf("ENQUEUED", "LEASED", "SUCCEEDED")
        }

        test("it takes one statement") {
            val ledger = freshLedger().define("mail")
            val counting = CountingDataSource(ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            val worker = client.worker()
            client.jobs.enqueue(JobRequest.builder("mail", Json.EMPTY_OBJECT).build())

            counting.count { client.jobs.enqueue(JobRequest.builder("mail", Json.EMPTY_OBJECT).build()) } shouldBe 1

            worker.started.size shouldBe 2
            ledger.queue() shouldContainExactly listOf(leased, leased)
        }

        test("without a free slot the job waits for a claim") {
            val ledger = freshLedger().define("mail")
            val busy = ledger.client.worker(isFree = false)

            ledger.enqueue().status() shouldBe JobStatus.PENDING

            busy.asked shouldContainExactly listOf("mail")
            ledger.queue() shouldContainExactly listOf(pending)
        }

        test("after a worker has unregistered, it is asked no more, and the next one is") {
            val ledger = freshLedger().define("mail")
            val first = FreeWorker()
            val registration = ledger.client.directStarts.register(first)
            val second = ledger.client.worker()

            ledger.enqueue()
            registration.close()
            ledger.enqueue()

            first.started.size shouldBe 1
            second.started.size shouldBe 1
        }

        test("no worker is asked for jobs that are not due, that come in a batch, or that join a transaction") {
            val ledger = freshLedger().define("mail")
            val worker = ledger.client.worker()

            ledger.enqueue { delay(Duration.ofMinutes(1)) }
            ledger.enqueue { runAt(Instant.EPOCH) }
            ledger.client.jobs.enqueueAll(List(2) { JobRequest.builder("mail", Json.EMPTY_OBJECT).build() })
            ledger.dataSource.connection.use { connection ->
                connection.autoCommit = false
                ledger.client.within(connection).jobs.enqueue(JobRequest.builder("mail", Json.EMPTY_OBJECT).build())
                connection.rollback()
            }

            worker.asked.shouldBeEmpty()
            ledger.queue() shouldContainExactly List(4) { pending }
        }

        test("a job of a paused type is enqueued and not leased") {
            val ledger = freshLedger().define("mail")
            ledger.run("UPDATE runledger.job_definitions SET is_paused = true")
            val worker = ledger.client.worker()

            ledger.enqueue().status() shouldBe JobStatus.PENDING

            worker.left shouldBe 1
            worker.started.shouldBeEmpty()
            ledger.queue() shouldContainExactly listOf(pending)
        }

        test("a key that is in use gives the existing job, and the slot is left") {
            val ledger = freshLedger().define("mail")
            val worker = ledger.client.worker()
            val first = ledger.enqueue { idempotencyKey("k") }

            val second = ledger.enqueue { idempotencyKey("k") }

            second.id() shouldBe first.id()
            second.disposition() shouldBe Disposition.EXISTING
            second.status() shouldBe JobStatus.LEASED
            worker.started.size shouldBe 1
            worker.left shouldBe 1
        }

        test("a refused job leaves its slot") {
            val ledger = freshLedger().define("mail")
            val worker = ledger.client.worker()
            ledger.run("UPDATE runledger.job_definitions SET is_enabled = false")

            shouldRefuse(ErrorCode.DEFINITION_UNAVAILABLE) { ledger.enqueue() }
            worker.left shouldBe 1

            ledger.run(
                "UPDATE runledger.job_definitions SET is_enabled = true",
                "ALTER TABLE runledger.job_queue ADD CONSTRAINT none CHECK (id IS NULL) NOT VALID",
            )
            shouldThrow<RunledgerException> { ledger.enqueue() }

            worker.left shouldBe 2
            worker.unconfirmed.shouldBeEmpty()
            ledger.run("ALTER TABLE runledger.job_queue DROP CONSTRAINT none")
        }

        test("an enqueue whose answer is lost does not start the job: its lease can be released unspent") {
            val ledger = freshLedger().define("mail")
            val breaking = RunledgerClient.create(BreakingDataSource(ledger.dataSource) { it == Moment.ENQUEUED }.dataSource)
            val worker = breaking.worker()

            shouldThrow<UnavailableException> {
                breaking.jobs.enqueue(JobRequest.builder("mail", Json.EMPTY_OBJECT).maxAttempts(1).build())
            }

            worker.started.shouldBeEmpty()
            ledger.queue() shouldContainExactly listOf(leased)
            ledger.client.leases.release(worker.unconfirmed, "CLAIM_NOT_CONFIRMED").map { it.isReleased } shouldContainExactly
                listOf(true)
            ledger.value("SELECT status, attempt, interruptions FROM runledger.job_queue") shouldBe "PENDING|1|1"
        }

        test("a job that cannot be read is not started, and ends as a dead letter when it is claimed") {
            val ledger = freshLedger().define("mail")
            val tooDeep = "{\"a\":".repeat(600) + "1" + "}".repeat(600)
            ledger.run("UPDATE runledger.job_definitions SET retry_policy = '$tooDeep'")
            val worker = ledger.client.worker()

            ledger.enqueue()

            worker.started.shouldBeEmpty()
            ledger.client.leases.release(worker.unconfirmed, "CLAIM_NOT_CONFIRMED").map { it.isReleased } shouldContainExactly
                listOf(true)
            ledger.claim().shouldBeEmpty()
            ledger.value("SELECT status, last_error_code FROM runledger.job_queue") shouldBe "DEAD_LETTERED|job.invalid_payload"
        }
    })
