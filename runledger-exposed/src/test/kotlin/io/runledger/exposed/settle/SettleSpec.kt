package io.runledger.exposed.settle

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.runledger.exposed.CountingDataSource
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.counting
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.leases
import io.runledger.exposed.settle
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.NotBefore
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.Lease
import io.runledger.model.job.Progress
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.lease.ClaimedJob
import io.runledger.model.lease.SettledJob.Result
import io.runledger.model.lease.Verdict
import java.time.Duration
import java.util.UUID

class SettleSpec :
    FunSpec({
        val broken = JobFailure.retryable("smtp.down", "no answer")

        fun TestLedger.oneClaimed(maxAttempts: Int = 3): ClaimedJob {
            define("mail")
            enqueue { maxAttempts(maxAttempts) }
            return claim().single()
        }

        fun TestLedger.events() = rows("SELECT event_type FROM runledger.job_events ORDER BY id")

        fun TestLedger.attempt() =
            value("SELECT outcome, error_code, retry_delay_ms, retry_timing_source FROM runledger.job_attempts")

        test("success stores output and counts, clears lease and errors, and writes one attempt") {
            val ledger = freshLedger()
            val job = ledger.oneClaimed()

            val settled = ledger.client.leases.settle(
                mapOf(job.lease() to Verdict.Succeed(Payload.json("""{"sent":1}""")).counting(Progress.of(5, 5))),
            ).single()

            settled.result() shouldBe Result.SUCCEEDED
            ledger.value(
                """
            SELECT status, stage, output, progress_pct, lease_id IS NULL, worker_id IS NULL, finished_at IS NOT NULL, last_error_code
            FROM runledger.job_queue
            """,
            ) shouldBe """SUCCEEDED|completed|{"sent": 1}|100.00|t|t|t|"""
            ledger.attempt() shouldBe "SUCCEEDED|||"
            ledger.events() shouldContainExactly listOf("ENQUEUED", "LEASED", "SUCCEEDED")
        }

        test("no output and the output null are different things") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(2) { ledger.enqueue() }
            val (none, nothing) = ledger.claim()

            ledger.settle(none, Verdict.Succeed(null))
            ledger.settle(nothing, Verdict.Succeed(Payload.of(null)))

            ledger.value("SELECT output IS NULL FROM runledger.job_queue WHERE id = '${none.lease().jobId()}'") shouldBe "t"
            ledger.value("SELECT output FROM runledger.job_queue WHERE id = '${nothing.lease().jobId()}'") shouldBe "null"
        }

        test("a retry goes back to the queue with its attempt kept and its story told") {
            val ledger = freshLedger()
            val job = ledger.oneClaimed()

            val settled = ledger.settle(job, Verdict.Retry(broken, Duration.ofSeconds(10), null))

            settled.result() shouldBe Result.RETRY_SCHEDULED
            ledger.value(
                "SELECT status, attempt, status_reason, last_error_code, last_error_message FROM runledger.job_queue",
            ) shouldBe
                "PENDING|1|RETRYABLE|smtp.down|no answer"
            ledger.value(
                "SELECT extract(epoch FROM q.next_run_at - a.finished_at) FROM runledger.job_queue q, runledger.job_attempts a",
            ) shouldBe
                "10.000000"
            ledger.attempt() shouldBe "RETRYABLE|smtp.down|10000|POLICY"
            ledger.events() shouldContainExactly listOf("ENQUEUED", "LEASED", "FAILED", "RETRY_SCHEDULED")
        }

        test("the handler's later time wins over the policy and both are told; its earlier one does not") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(2) { ledger.enqueue() }
            val (later, earlier) = ledger.claim()

            ledger.settle(later, Verdict.Retry(broken, Duration.ofSeconds(10), NotBefore.after(Duration.ofMinutes(5))))
            ledger.settle(earlier, Verdict.Retry(broken, Duration.ofSeconds(10), NotBefore.after(Duration.ofSeconds(2))))

            ledger.rows(
                """
            SELECT extract(epoch FROM effective_next_run_at - finished_at)::int, extract(epoch FROM requested_retry_not_before - finished_at)::int,
                retry_delay_ms, retry_timing_source
            FROM runledger.job_attempts ORDER BY 1 DESC
            """,
            ) shouldContainExactly listOf("300|300|10000|HANDLER_NOT_BEFORE", "10|2|10000|POLICY")
        }

        test("given-back attempts do not count against the maximum") {
            val ledger = freshLedger()
            val first = ledger.oneClaimed(maxAttempts = 1)
            ledger.settle(first, Verdict.Snooze(Duration.ofMillis(1))).result() shouldBe Result.SNOOZED
            ledger.run("UPDATE runledger.job_queue SET next_run_at = now()")
            val second = ledger.claim().single()

            second.lease().attempt() shouldBe 2
            second.interruptions() shouldBe 1
            ledger.settle(second, Verdict.Retry(broken, Duration.ofSeconds(1), null)).result() shouldBe Result.DEAD_LETTERED
            ledger.events() shouldContainExactly listOf("ENQUEUED", "LEASED", "REQUEUED", "LEASED", "FAILED", "DEAD_LETTERED")
        }

        test("a dead letter keeps payload and checkpoint as they were, one row per dead-lettering") {
            val ledger = freshLedger()
            val job = ledger.oneClaimed()
            ledger.run("UPDATE runledger.job_queue SET checkpoint = '7', payload = '[1]'")

            ledger.settle(job, Verdict.DeadLetter(JobFailure.panicked("boom"), DeadLetterReason.FAILURE_KIND_NON_RETRYABLE))

            ledger.value(
                "SELECT payload_snapshot, checkpoint_snapshot, kind, run_number FROM runledger.job_dead_letters",
            ) shouldBe
                "[1]|7|PANICKED|1"
            ledger.value("SELECT status FROM runledger.job_queue") shouldBe "DEAD_LETTERED"
        }

        test("a continuation opens the next run of the same job with kept state") {
            val ledger = freshLedger()
            val job = ledger.oneClaimed(maxAttempts = 1)

            val settled = ledger.client.leases.settle(
                mapOf(
                    job.lease() to
                        Verdict.Continue(
                            Payload.json("[2]"),
                            Payload.json("{\"page\":9}"),
                            Duration.ZERO,
                        ).counting(Progress.of(1, 4)),
                ),
            ).single()
            val next = ledger.claim().single()

            settled.result() shouldBe Result.CONTINUED
            next.lease().runNumber() shouldBe 2
            next.lease().attempt() shouldBe 1
            next.payload() shouldBe Json.of("[2]")
            next.checkpoint() shouldBe Json.of("{\"page\": 9}")
            ledger.value("SELECT progress_done, progress_total, stage, attempt FROM runledger.job_queue") shouldBe "1|4|queued|1"
            ledger.events() shouldContainExactly listOf("ENQUEUED", "LEASED", "REQUEUED", "LEASED")
            ledger.value("SELECT payload ->> 'requeue_kind' FROM runledger.job_journal") shouldBe "HANDLER_CONTINUATION"
        }

        test("a continuation's delay is kept to the microsecond, rounded up") {
            val ledger = freshLedger()
            val job = ledger.oneClaimed()

            ledger.settle(job, Verdict.Continue(null, null, Duration.ofSeconds(3).plusNanos(1)))

            ledger.value("SELECT payload ->> 'delay_microseconds' FROM runledger.job_journal") shouldBe "3000001"
            ledger.value(
                "SELECT extract(epoch FROM q.next_run_at - a.finished_at) FROM runledger.job_queue q, runledger.job_attempts a",
            ) shouldBe "3.000001"
        }

        test("a failure may have any code, also one of the library's own") {
            val ledger = freshLedger()
            val job = ledger.oneClaimed()

            ledger.settle(
                job,
                Verdict.Retry(JobFailure.retryable("job.lease_owner_mismatch", "mine"), Duration.ofSeconds(1), null),
            )

            ledger.attempt() shouldBe "RETRYABLE|job.lease_owner_mismatch|1000|POLICY"
            ledger.value("SELECT status, last_error_code FROM runledger.job_queue") shouldBe "PENDING|job.lease_owner_mismatch"
        }

        test("what a failure has to tell programs is kept with the attempt") {
            val ledger = freshLedger()
            val job = ledger.oneClaimed()

            ledger.settle(job, Verdict.Retry(broken.withDetails(Json.of("{\"status\": 503}")), Duration.ofSeconds(1), null))

            ledger.value("SELECT error_message, error_details FROM runledger.job_attempts") shouldBe "no answer|{\"status\": 503}"
        }

        test("a handler may cancel its own job") {
            val ledger = freshLedger()
            val job = ledger.oneClaimed()

            ledger.settle(job, Verdict.Cancel("not wanted")).result() shouldBe Result.CANCELED

            ledger.value("SELECT status, status_reason FROM runledger.job_queue") shouldBe "CANCELED|not wanted"
            ledger.events() shouldContainExactly listOf("ENQUEUED", "LEASED", "CANCELED")
        }

        test("a lost lease comes back as lost, changes nothing and does not disturb its neighbours") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(3) { ledger.enqueue() }
            val (good, expired, stolen) = ledger.claim()
            ledger.run(
                "UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 ms' WHERE id = '${expired.lease().jobId()}'",
            )
            val forged = Lease(stolen.lease().jobId(), 1, 1, "w1", UUID.randomUUID())

            val results = ledger.client.leases.settle(
                listOf(expired.lease(), forged, good.lease()).associateWith { Verdict.Succeed(null) },
            )

            results.map { it.result() } shouldContainExactly listOf(Result.LOST, Result.LOST, Result.SUCCEEDED)
            ledger.value("SELECT count(*) FROM runledger.job_attempts") shouldBe "1"
            ledger.value("SELECT count(*) FROM runledger.job_queue WHERE status = 'LEASED'") shouldBe "2"
        }

        test("settling twice does it once") {
            val ledger = freshLedger()
            val job = ledger.oneClaimed()

            ledger.settle(job, Verdict.Succeed(null)).result() shouldBe Result.SUCCEEDED
            ledger.settle(job, Verdict.Succeed(null)).result() shouldBe Result.LOST
        }

        test("100 mixed endings cost at most four statements") {
            val ledger = freshLedger().apply { define("mail") }
            repeat(101) { ledger.enqueue() }
            val jobs = ledger.claim(limit = 101)
            val verdicts = listOf(
                Verdict.Succeed(Payload.json("1")),
                Verdict.Retry(broken, Duration.ofSeconds(5), null),
                Verdict.DeadLetter(broken, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE),
                Verdict.Continue(null, null, Duration.ZERO),
                Verdict.Snooze(Duration.ofSeconds(5)),
                Verdict.Cancel("enough"),
            )
            val counting = CountingDataSource(ledger.dataSource)
            val client = RunledgerClient.create(counting.dataSource)
            client.leases.settle(mapOf(jobs.last().lease() to verdicts.first()))

            counting.count {
                client.leases.settle(
                    jobs.take(100).mapIndexed { place, job ->
                        job.lease() to verdicts[place % verdicts.size]
                    }.toMap(),
                )
                    .none { it.result() == Result.LOST } shouldBe true
            } shouldBeLessThanOrEqual 4
        }
    })
