package io.runledger.exposed.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.TestLedger
import io.runledger.exposed.counting
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.makeDue
import io.runledger.exposed.settle
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.NotBefore
import io.runledger.model.history.JobEvent
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobStage
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

private const val ENQUEUED = "ENQUEUED 1.- queued job_type"
private const val FAILED = "error_code,error_message,kind"
private const val RETRY = "effective_next_run_at,next_run_at,retry_delay_ms,retry_timing_source"

private fun leased(attempt: String, stage: String = "queued") = "LEASED $attempt $stage lease_duration_seconds,worker_id"

/**
 * Most events are not stored but derived from other rows. For every path of a job, this is the expected sequence of events:
 * type, run and attempt, stage, and the members of the payload.
 */
class LifecycleEventsSpec :
    FunSpec({
        fun TestLedger.line(event: JobEvent): String {
            val members = (client.codec.decode(event.payload(), Map::class.java) as Map<*, *>).keys.map { "$it" }.sorted()
            val place = "${event.runNumber()}.${event.attempt() ?: "-"}"
            return "${event.type()} $place ${event.stage()?.wire() ?: "-"} ${members.joinToString(",")}".trim()
        }

        fun TestLedger.events(id: UUID) = client.jobs.events(Scope.everything(), id).items()

        fun TestLedger.told(id: UUID) = events(id).map { line(it) }

        test("waiting") {
            val ledger = freshLedger().define("t")

            ledger.told(ledger.enqueue()) shouldContainExactly listOf(ENQUEUED)
        }

        test("a stage of its own from the start") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue { stage(JobStage.SCHEDULED) }
            ledger.claim()

            ledger.told(id) shouldContainExactly listOf("ENQUEUED 1.- scheduled job_type", leased("1.1", "scheduled"))
        }

        test("started, reporting, renewed, succeeded: a renewal is no event") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            val job = ledger.claim(ClaimOrigin.WORKER_PRESTART)
            ledger.start(job)
            ledger.report(job, done = 1)
            ledger.client.leases.renew(listOf(job.lease()), Duration.ofSeconds(60))
            ledger.settle(job, Verdict.Succeed(Payload.json("1")).counting(Progress(null, 9)))

            ledger.told(id) shouldContainExactly
                listOf(ENQUEUED, leased("1.1"), "STAGE_CHANGED 1.1 running", "PROGRESS 1.1 -", "SUCCEEDED 1.1 completed")
            ledger.events(id).takeLast(2).map { it.progress() } shouldContainExactly listOf(Progress(1, null), Progress.of(1, 9))
        }

        test("a handler that ignored its timeout and is waited for, then failed") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            val job = ledger.claim()
            val leases = ledger.client.leases
            repeat(2) { leases.noteOvertime(job.lease(), Duration.ofMinutes(10)) shouldBe true }
            ledger.report(job, done = 1)
            ledger.fail(job)

            leases.noteOvertime(job.lease(), Duration.ofMinutes(10)) shouldBe false
            ledger.told(id).filterNot { it.startsWith("RETRY") } shouldContainExactly
                listOf(ENQUEUED, leased("1.1"), "TIMEOUT_IGNORED 1.1 - waits_until", "PROGRESS 1.1 -", "FAILED 1.1 - $FAILED")
            ledger.value(
                "SELECT (payload ->> 'waits_until')::timestamptz - occurred_at FROM runledger.job_journal " +
                    "WHERE event_type = 'TIMEOUT_IGNORED'",
            ) shouldBe "00:10:00"
        }

        test("failed, tried again before it ever started, succeeded") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            ledger.fail(ledger.claim())
            ledger.makeDue(id)
            ledger.settle(ledger.claim(), Verdict.Succeed(null))

            ledger.told(id) shouldContainExactly listOf(
                ENQUEUED,
                leased("1.1"),
                "FAILED 1.1 - $FAILED",
                "RETRY_SCHEDULED 1.1 - $RETRY",
                leased("1.2"),
                "SUCCEEDED 1.2 completed",
            )
        }

        test("failed after it started: the next claim finds it running") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            val job = ledger.claim()
            ledger.start(job)
            ledger.fail(job)
            ledger.makeDue(id)
            ledger.claim()

            ledger.told(id).last() shouldBe leased("1.2", "running")
        }

        test("timed out, and asked for a later time than the policy's") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            val bound = NotBefore.after(Duration.ofHours(1))
            ledger.settle(ledger.claim(), Verdict.Retry(JobFailure.timeout(Duration.ofSeconds(9)), Duration.ofSeconds(1), bound))

            ledger.told(id).takeLast(2) shouldContainExactly listOf(
                "FAILED 1.1 - $FAILED",
                "RETRY_SCHEDULED 1.1 - effective_next_run_at,next_run_at,requested_retry_at,requested_retry_not_before," +
                    "retry_delay_ms,retry_timing_source",
            )
        }

        test("failed for good, requeued, failed for good again") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            ledger.giveUp(ledger.claim())
            ledger.requeue(id)
            ledger.giveUp(ledger.claim())

            ledger.told(id) shouldContainExactly listOf(
                ENQUEUED,
                leased("1.1"),
                "FAILED 1.1 - $FAILED",
                "DEAD_LETTERED 1.1 - error_code,kind",
                "REQUEUED 1.1 queued next_run_number,reason,requeue_kind,state_policy",
                leased("2.1"),
                "FAILED 2.1 - $FAILED",
                "DEAD_LETTERED 2.1 - error_code,kind",
            )
        }

        test("out of attempts: what asked for a retry becomes a dead letter") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue { maxAttempts(1) }
            ledger.fail(ledger.claim())

            ledger.told(id) shouldContainExactly
                listOf(ENQUEUED, leased("1.1"), "FAILED 1.1 - $FAILED", "DEAD_LETTERED 1.1 - error_code,kind")
        }

        test("continued in a second run after it had started") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            val job = ledger.claim()
            ledger.start(job)
            ledger.settle(job, Verdict.Continue(null, Payload.of(Json.of("5")), Duration.ZERO).counting(Progress.of(5, 10)))
            ledger.settle(ledger.claim(), Verdict.Succeed(null).counting(Progress(10, null)))

            ledger.told(id) shouldContainExactly listOf(
                ENQUEUED,
                leased("1.1"),
                "STAGE_CHANGED 1.1 running",
                "REQUEUED 1.1 queued delay_microseconds,next_run_at,next_run_number,reason,requeue_kind",
                leased("2.1"),
                "SUCCEEDED 2.1 completed",
            )
            ledger.events(id).filter { it.progress() != Progress.NONE }.map { it.progress() } shouldContainExactly
                listOf(Progress.of(5, 10), Progress.of(10, 10))
        }

        test("snoozed: the attempt is given back and keeps its number") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue { maxAttempts(1) }
            ledger.settle(ledger.claim(), Verdict.Snooze(Duration.ofHours(1)))
            ledger.makeDue(id)
            ledger.settle(ledger.claim(), Verdict.Succeed(null))

            ledger.told(id) shouldContainExactly listOf(
                ENQUEUED,
                leased("1.1"),
                "REQUEUED 1.1 - next_run_at,reason,requeue_kind",
                leased("1.2"),
                "SUCCEEDED 1.2 completed",
            )
        }

        test("called off by its handler") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            ledger.settle(ledger.claim(), Verdict.Cancel("obsolete"))

            ledger.told(id) shouldContainExactly listOf(ENQUEUED, leased("1.1"), "CANCELED 1.1 - reason")
        }

        test("called off by an operator: never claimed, then requeued, then while it runs") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            ledger.cancel(id)
            ledger.requeue(id)
            ledger.claim()
            ledger.cancel(id)

            ledger.told(id) shouldContainExactly listOf(
                ENQUEUED,
                "CANCELED 1.- - reason",
                "REQUEUED 1.- queued next_run_number,reason,requeue_kind,state_policy",
                leased("2.1"),
                "CANCELED 2.1 - lease_quiesces_at,reason",
            )
        }

        test("called off while it waits for its next try") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            ledger.fail(ledger.claim())
            ledger.cancel(id)

            ledger.told(id).takeLast(2) shouldContainExactly listOf("RETRY_SCHEDULED 1.1 - $RETRY", "CANCELED 1.1 - reason")
        }

        test("its worker vanished before it started: given back, the stage is still the first one") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue { maxAttempts(1) }
            ledger.claim(ClaimOrigin.WORKER_PRESTART)
            ledger.reap(id)
            ledger.makeDue(id)
            ledger.claim(ClaimOrigin.WORKER_PRESTART)

            ledger.told(id) shouldContainExactly
                listOf(ENQUEUED, leased("1.1"), "REQUEUED 1.1 - next_run_at,reason,requeue_kind", leased("1.2"))
        }

        test("its worker vanished after it started, and again on the last attempt") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue { maxAttempts(2) }
            repeat(2) {
                ledger.start(ledger.claim(ClaimOrigin.WORKER_PRESTART))
                ledger.reap(id)
                ledger.makeDue(id)
            }

            ledger.told(id) shouldContainExactly listOf(
                ENQUEUED,
                leased("1.1"),
                "STAGE_CHANGED 1.1 running",
                "FAILED 1.1 - $FAILED,started_without_renewal_heartbeat",
                "RETRY_SCHEDULED 1.1 - kind,next_run_at,retry_delay_ms,started_without_renewal_heartbeat",
                leased("1.2", "running"),
                "STAGE_CHANGED 1.2 running",
                "FAILED 1.2 - $FAILED,started_without_renewal_heartbeat",
                "DEAD_LETTERED 1.2 - error_code,kind,started_without_renewal_heartbeat",
            )
        }

        test("edited while it waits and again after it gave up") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            ledger.edit(id, "[1]")
            ledger.giveUp(ledger.claim())
            ledger.edit(id, "[2]")
            ledger.edit(id, "[2]")
            ledger.requeue(id)

            ledger.told(id) shouldContainExactly listOf(
                ENQUEUED,
                "EDITED 1.- - changed,previous_payload,reason",
                leased("1.1"),
                "FAILED 1.1 - $FAILED",
                "DEAD_LETTERED 1.1 - error_code,kind",
                "EDITED 1.1 - changed,previous_payload,reason",
                "REQUEUED 1.1 queued next_run_number,reason,requeue_kind,state_policy",
            )
        }

        test("made as the replay of another job") {
            val ledger = freshLedger().define("t")
            val source = ledger.enqueue()
            ledger.settle(ledger.claim(), Verdict.Succeed(null))
            val id = ledger.replay(source)

            ledger.told(id) shouldContainExactly
                listOf("ENQUEUED 1.- queued job_type,reason,replay_request_key,replayed_from_job_id,replayed_from_run_number")
        }
    })

private val broken = JobFailure.retryable("x.broken", "pipe burst")
private val gone = JobFailure.terminal("x.gone", null)

private fun TestLedger.fail(job: ClaimedJob) = settle(job, Verdict.Retry(broken, Duration.ofSeconds(5), null))

private fun TestLedger.giveUp(job: ClaimedJob) {
    settle(job, Verdict.DeadLetter(gone, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE))
}
