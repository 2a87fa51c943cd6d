package io.runledger.exposed.claim

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.isReleased
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.exposed.settle
import io.runledger.exposed.signal.Signal
import io.runledger.exposed.until
import io.runledger.model.error.UnavailableException
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.JobRequest
import io.runledger.model.job.Lease
import io.runledger.model.json.Json
import io.runledger.model.lease.ClaimRequest
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID
import java.util.concurrent.ConcurrentLinkedQueue

/** A claim of the job that a notification has named. */
class ClaimNewSpec :
    FunSpec({
        val request = ClaimRequest.of(listOf("mail"), "w1", lease, 1)

        fun TestLedger.claimNew(id: UUID): ClaimedJob? = client.leases.claimNew(id, request)

        test("it leases the job as any claim does") {
            val ledger = freshLedger().define("mail")
            ledger.run("""UPDATE runledger.job_definitions SET retry_policy = '{"backoff": "fixed"}'""")
            val template = JobRequest.builder("mail", Json.of("""{"to":"ada"}""")).priority(3).maxAttempts(4)
                .timeout(Duration.ofSeconds(50)).header("locale", "de").build()
            fun ClaimedJob.told() = listOf(
                jobType(), payload(), priority(), maxAttempts(), timeout(), headers(), retryPolicy(), interruptions(), checkpoint(), step(),
                lease().attempt(), lease().runNumber(), lease().workerId(), Duration.between(leasedAt(), leaseExpiresAt()),
            )
            ledger.client.jobs.enqueue(template)
            val expected = ledger.claim().single()
            val id = ledger.client.jobs.enqueue(template).id()

            val job = ledger.claimNew(id).shouldNotBeNull()

            job.told() shouldBe expected.told()
            ledger.settle(job, Verdict.Succeed(null))
            ledger.rows("SELECT event_type FROM runledger.job_events WHERE job_id = '$id' ORDER BY id") shouldContainExactly
                listOf("ENQUEUED", "LEASED", "SUCCEEDED")
        }

        test("a job that is not new, not due, paused, of another type or not there is left to other claims") {
            val ledger = freshLedger().define("mail", "other", "paused")
            ledger.run("UPDATE runledger.job_definitions SET is_paused = true WHERE job_type = 'paused'")
            val retried = ledger.enqueue().id()
            ledger.settle(ledger.claim().single(), Verdict.Retry(JobFailure.retryable("x", "x"), Duration.ZERO, null))
            val later = ledger.enqueue { delay(Duration.ofHours(1)) }.id()
            val foreign = ledger.enqueue("other").id()
            val paused = ledger.enqueue("paused").id()

            listOf(retried, later, foreign, UUID.randomUUID()).forEach { ledger.claimNew(it).shouldBeNull() }
            ledger.client.leases.claimNew(paused, ClaimRequest.of(listOf("paused"), "w1", lease, 1)).shouldBeNull()
            ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status <> 'PENDING'") shouldBe "0"
        }

        test("of many workers that a notification reaches, one gets the job, and none waits for it") {
            val ledger = freshLedger().define("mail")
            val id = ledger.enqueue().id()

            val claimed = racing(8) { ledger.claimNew(id) }

            claimed.filterNotNull().map { it.lease().jobId() } shouldContainExactly listOf(id)
            val other = ledger.enqueue().id()
            ledger.database.connect().use { session ->
                session.autoCommit = false
                session.createStatement().execute("SELECT FROM runledger.job_queue WHERE id = '$other' FOR UPDATE")
                ledger.claimNew(other).shouldBeNull()
                session.rollback()
            }
            ledger.claimNew(other).shouldNotBeNull()
        }

        test("a claim whose answer is lost tells its lease, which can be released unspent") {
            val ledger = freshLedger().define("mail")
            val id = ledger.enqueue { maxAttempts(1) }.id()
            val breaking = RunledgerClient.create(BreakingDataSource(ledger.dataSource) { it == Moment.CLAIMED }.dataSource)
            val told = mutableListOf<Lease>()

            shouldThrow<UnavailableException> { breaking.leases.claimNew(id, request, told::addAll) }

            ledger.value("SELECT status FROM runledger.job_queue") shouldBe "LEASED"
            ledger.client.leases.release(told, "CLAIM_NOT_CONFIRMED").map { it.isReleased } shouldContainExactly listOf(true)
            ledger.value("SELECT status, attempt, interruptions FROM runledger.job_queue") shouldBe "PENDING|1|1"
        }

        test("a job whose row cannot be read is not started, and the next claim ends it") {
            val ledger = freshLedger().define("mail")
            val id = ledger.enqueue().id()
            ledger.run("UPDATE runledger.job_queue SET payload = '${"{\"a\":".repeat(600) + "1" + "}".repeat(600)}'")
            val told = mutableListOf<Lease>()

            ledger.client.leases.claimNew(id, request, told::addAll).shouldBeNull()

            ledger.client.leases.release(told, "CLAIM_NOT_CONFIRMED").map { it.isReleased } shouldContainExactly listOf(true)
            ledger.claim().shouldBeEmpty()
            ledger.value("SELECT status FROM runledger.job_queue") shouldBe "DEAD_LETTERED"
        }

        test("the signal of a single new job names it, that of a batch and the repeated one do not") {
            val ledger = freshLedger().define("mail")
            val heard = ConcurrentLinkedQueue<Signal>()
            ledger.client.signals.subscribe { heard += it }.use {
                until("it listens") { Signal.Resumed in heard }
                val id = ledger.enqueue().id()
                until("it hears twice") { heard.filterIsInstance<Signal.DueJobs>().size == 2 }

                heard.filterIsInstance<Signal.DueJobs>().map { it.newJobId } shouldContainExactly listOf(id, null)
                heard.clear()
                ledger.client.jobs.enqueueAll(List(2) { JobRequest.builder("mail", Json.EMPTY_OBJECT).build() })
                until("it hears of the batch") { heard.isNotEmpty() }
                heard.filterIsInstance<Signal.DueJobs>().mapNotNull { it.newJobId }.shouldBeEmpty()
                ledger.client.jobs.get(Scope.everything(), id).id() shouldBe id
            }
        }
    })
