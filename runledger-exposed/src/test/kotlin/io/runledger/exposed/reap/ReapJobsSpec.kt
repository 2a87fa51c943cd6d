package io.runledger.exposed.reap

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.control.bench
import io.runledger.exposed.leases
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.Lease
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.ReapedJob
import io.runledger.model.lease.Renewal
import io.runledger.model.lease.SettledJob
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class ReapJobsSpec :
    FunSpec({
        val delay = Duration.ofSeconds(90)

        test("an expired lease with attempts left is tried again after the delay") {
            val bench = bench()
            val lease = bench.leased()
            bench.expire(lease.jobId())

            val reaped = bench.client.leases.reap(9, delay).single()

            reaped.lease() shouldBe lease
            reaped.result() shouldBe ReapedJob.Result.RETRY_SCHEDULED
            val columns = "status, attempt, interruptions, status_reason, last_error_code, lease_expires_at, lease_id"
            bench.row(lease.jobId(), columns) shouldBe "PENDING|1|0|LEASE_EXPIRED|job.lease_expired||"
            bench.attempts(
                lease.jobId(),
                "outcome, error_code, error_message, retry_delay_ms, last_heartbeat_at IS NOT NULL, " +
                    "effective_next_run_at > now()",
            ) shouldContainExactly listOf("LEASE_EXPIRED|job.lease_expired|The worker stopped renewing the lease.|90000|t|t")
            bench.ledger.rows(
                "SELECT array_to_string(ARRAY(SELECT jsonb_object_keys(payload) ORDER BY 1), ',') FROM runledger.job_events " +
                    "WHERE event_type = 'RETRY_SCHEDULED'",
            ) shouldContainExactly listOf("kind,next_run_at,retry_delay_ms,started_without_renewal_heartbeat")
            bench.succeed(lease) shouldBe SettledJob.Result.LOST
            bench.client.leases.renew(listOf(lease), delay).single().answer() shouldBe Renewal.Answer.LOST
        }

        test("an expired lease without attempts left becomes a dead letter, and everything says the same") {
            val bench = bench()
            val lease = bench.leased { maxAttempts(1) }
            bench.expire(lease.jobId())

            bench.client.leases.reap(9, delay).single().result() shouldBe ReapedJob.Result.DEAD_LETTERED

            val letter = bench.client.jobs.deadLetters(Scope.everything(), lease.jobId()).items().single()
            letter.kind() shouldBe AttemptOutcome.LEASE_EXPIRED
            letter.reason() shouldBe DeadLetterReason.LEASE_EXPIRED
            val said = "LEASE_EXPIRED|${letter.errorCode()}|${letter.errorMessage()}"
            bench.row(lease.jobId(), "status_reason, last_error_code, last_error_message") shouldBe said
            bench.attempts(lease.jobId(), "outcome, error_code, error_message") shouldContainExactly listOf(said)
            bench.story(lease.jobId()) shouldContainExactly listOf("ENQUEUED", "LEASED", "FAILED", "DEAD_LETTERED")
        }

        test("a claim whose handler never started is given back at once, even with one attempt, and earlier ones stay spent") {
            val bench = bench()
            val id = bench.enqueue { maxAttempts(1) }
            bench.claimOne(ClaimOrigin.WORKER_PRESTART)
            bench.expire(id)

            bench.client.leases.reap(9, delay).single().result() shouldBe ReapedJob.Result.RELEASED

            bench.row(id, "status, attempt, interruptions, status_reason, next_run_at <= now()") shouldBe
                "PENDING|1|1|LEASE_EXPIRED_BEFORE_RUNNING_PERSISTED|t"
            bench.attempts(id, "outcome, error_code, retry_delay_ms") shouldContainExactly
                listOf("INTERRUPTED|LEASE_EXPIRED_BEFORE_RUNNING_PERSISTED|")
            val started = bench.claimOne(ClaimOrigin.WORKER_PRESTART)
            bench.client.leases.report(ProgressReport.running(started))
            bench.expire(id)
            bench.client.leases.reap(9, delay).single().result() shouldBe ReapedJob.Result.DEAD_LETTERED
        }

        test("a job whose worker dies again and again before its start is recorded spends an attempt after five times") {
            val bench = bench()
            val id = bench.enqueue { maxAttempts(1) }

            val results = List(6) {
                bench.claimOne(ClaimOrigin.WORKER_PRESTART)
                bench.expire(id)
                bench.client.leases.reap(9, delay).single().result()
            }

            results shouldContainExactly List(5) { ReapedJob.Result.RELEASED } + ReapedJob.Result.DEAD_LETTERED
        }

        test("a recorded start spends the attempt of a job that was claimed ahead, and only the holder records it") {
            val bench = bench()
            val ids = List(3) { bench.enqueue { maxAttempts(1) } }
            val (begun, held, lost) = bench.claim(3, ClaimOrigin.WORKER_PRESTART).map { it.lease() }
            bench.expire(lost.jobId())
            val forged = Lease(held.jobId(), 1, 1, "worker", UUID.randomUUID())

            bench.client.leases.recordStarts(listOf(begun, lost, forged)) shouldBe setOf(begun.leaseId())
            bench.client.leases.recordStarts(listOf(begun)) shouldBe setOf(begun.leaseId())
            bench.client.leases.recordStarts(emptyList()) shouldBe emptySet()

            ids.forEach { bench.expire(it) }
            bench.client.leases.reap(9, delay).associate { it.lease().jobId() to it.result() } shouldBe mapOf(
                begun.jobId() to ReapedJob.Result.DEAD_LETTERED,
                held.jobId() to ReapedJob.Result.RELEASED,
                lost.jobId() to ReapedJob.Result.RELEASED,
            )
        }

        test("a start is not waited for when another session holds the job") {
            val bench = bench()
            repeat(2) { bench.enqueue() }
            val (free, held) = bench.claim(2, ClaimOrigin.WORKER_PRESTART).map { it.lease() }

            bench.ledger.dataSource.connection.use { other ->
                other.autoCommit = false
                other.createStatement().use {
                    it.execute("SELECT FROM runledger.job_queue WHERE id = '${held.jobId()}' FOR UPDATE")
                }

                bench.client.leases.recordStarts(listOf(free, held)) shouldBe setOf(free.leaseId())
                other.rollback()
            }
        }

        test("a story tells whether the worker died before its first renewal") {
            val bench = bench()
            val never = bench.leased().also { bench.client.leases.report(ProgressReport.running(it)) }
            val once = bench.leased().also {
                bench.client.leases.report(ProgressReport.running(it))
                bench.client.leases.renew(listOf(it), delay)
                bench.client.leases.report(ProgressReport.checkpoint(it, 1))
            }
            val unstarted = bench.leased()
            bench.expire(never.jobId(), once.jobId(), unstarted.jobId())

            bench.client.leases.reap(9, delay)

            listOf(never, once, unstarted).map { lease ->
                bench.ledger.value(
                    "SELECT payload->>'started_without_renewal_heartbeat' FROM runledger.job_events " +
                        "WHERE job_id = '${lease.jobId()}' AND event_type = 'FAILED'",
                )
            } shouldContainExactly listOf("true", "false", "false")
        }

        test("the longest expired come first, live leases are left alone, and a pass is bounded") {
            val bench = bench()
            bench.enqueue(4)
            val jobs = bench.claim(4).map { it.lease().jobId() }
            jobs.take(3).forEachIndexed { place, id -> bench.set(id, "lease_expires_at = now() - interval '${place + 1} hours'") }

            bench.client.leases.reap(2, delay).map { it.lease().jobId() }.toSet() shouldBe setOf(jobs[2], jobs[1])
            bench.client.leases.reap(2, delay).map { it.lease().jobId() } shouldContainExactly listOf(jobs[0])
            bench.client.leases.reap(2, delay).shouldBeEmpty()
            bench.row(jobs[3], "status") shouldBe "LEASED"
        }

        test("a row that somebody holds is skipped, not waited for") {
            val bench = bench()
            val lease = bench.leased()
            bench.expire(lease.jobId())

            bench.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                connection.createStatement().use { it.execute("SELECT FROM runledger.job_queue FOR UPDATE") }
                bench.client.leases.reap(9, delay).shouldBeEmpty()
                connection.rollback()
            }
            bench.client.leases.reap(9, delay).size shouldBe 1
        }

        test("the delay must be positive and the limit sensible") {
            val bench = bench()

            shouldRefuse(ErrorCode.INVALID_RETRY_DELAY) { bench.client.leases.reap(1, Duration.ZERO) }
            shouldRefuse(ErrorCode.INVALID_RETRY_DELAY) { bench.client.leases.reap(1, Duration.ofDays(99)) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { bench.client.leases.reap(0, delay) }
        }
    })
