package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.leases
import io.runledger.exposed.read.Watched
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobSelection
import io.runledger.model.job.JobStatus
import io.runledger.model.job.KeptState
import io.runledger.model.job.Progress
import io.runledger.model.job.RequeueOutcome
import io.runledger.model.job.RequeueRequest
import io.runledger.model.lease.ProgressReport
import io.runledger.model.lease.Renewal
import io.runledger.model.ledger.Scope
import java.sql.Connection
import java.time.Duration
import java.util.UUID

class RequeueJobsSpec :
    FunSpec({
        val everything = Scope.everything()
        val reset = KeptState.RESET_PROGRESS_AND_CHECKPOINT

        fun deadLetter(id: UUID, run: Int = 1, keep: KeptState = reset) =
            RequeueRequest(id, JobStatus.DEAD_LETTERED, run, keep, "again")

        fun Bench.deadWithState(): UUID {
            val lease = leased()
            client.leases.report(ProgressReport.of(lease, Progress.of(1, 4)))
            client.leases.report(ProgressReport.checkpoint(lease, mapOf("at" to 7)))
            die(lease)
            return lease.jobId()
        }

        test("a dead letter runs again from scratch, and the run before keeps its story") {
            val bench = bench()
            val id = bench.deadWithState()

            val outcome = bench.client.jobs.requeue(everything, deadLetter(id))

            outcome.shouldBeInstanceOf<RequeueOutcome.Requeued>().runNumber() shouldBe 2
            bench.row(
                id,
                "status, stage, run_number, attempt, interruptions, progress_done, checkpoint, finished_at, started_at, " +
                    "status_reason, last_error_code",
            ) shouldBe "PENDING|queued|2|0|0|||||again|"
            val facts = "event_type, run_number, attempt, payload->>'state_policy', payload->>'requeue_kind'"
            bench.journal(id, facts).last() shouldBe "REQUEUED|1|1|reset_progress_and_checkpoint|COMPARE_AND_REQUEUE"
            bench.story(id).takeLast(3) shouldContainExactly listOf("FAILED", "DEAD_LETTERED", "REQUEUED")
            bench.claimOne().runNumber() shouldBe 2
        }

        test("counts and checkpoint can be kept") {
            val bench = bench()
            val id = bench.deadWithState()

            bench.client.jobs.requeue(everything, deadLetter(id, keep = KeptState.PRESERVE_PROGRESS_AND_CHECKPOINT))

            bench.row(id, "progress_done, progress_total, checkpoint") shouldBe """1|4|{"at": 7}"""
        }

        test("a job is requeued by its id, and resumes where it stopped or starts from the beginning") {
            val bench = bench()
            val resumed = bench.deadWithState()
            val restarted = bench.deadWithState()

            val job = bench.client.jobs.requeue(everything, resumed, "the outage is over")
            bench.client.jobs.restart(everything, restarted).statusReason() shouldBe "REQUEUED"

            job.id() shouldBe resumed
            job.status() shouldBe JobStatus.PENDING
            job.runNumber() shouldBe 2
            job.statusReason() shouldBe "the outage is over"
            bench.row(resumed, "progress_done, progress_total, checkpoint") shouldBe """1|4|{"at": 7}"""
            bench.row(restarted, "progress_done, progress_total, checkpoint") shouldBe "||"
        }

        test("a requeue by id says why it is refused and changes nothing") {
            val bench = bench()
            val done = bench.succeeded()
            val step = bench.dead().also(bench::ofWorkflow)
            val canceled = bench.leased().jobId()
            val quietAt = bench.client.jobs.cancel(everything, canceled).quietAt()
            val waiting = bench.enqueue()

            shouldRefuse(ErrorCode.JOB_NOT_FOUND) { bench.client.jobs.requeue(everything, UUID.randomUUID()) }
            shouldRefuse(ErrorCode.JOB_NOT_FOUND) { bench.client.jobs.requeue(Scope.organization(UUID.randomUUID()), canceled) }
            shouldRefuse(ErrorCode.JOB_STATE) { bench.client.jobs.requeue(everything, waiting) }.message shouldContain "PENDING"
            shouldRefuse(ErrorCode.JOB_STATE) { bench.client.jobs.requeue(everything, done) }.message shouldContain "SUCCEEDED"
            shouldRefuse(ErrorCode.JOB_STATE) { bench.client.jobs.restart(everything, canceled) }.message shouldContain "$quietAt"
            shouldRefuse(ErrorCode.WORKFLOW_JOB_REQUEUE) { bench.client.jobs.requeue(everything, step) }
            listOf(waiting, done, step, canceled).map { bench.row(it, "run_number") } shouldContainExactly List(4) { "1" }
        }

        test("of two requeues of one job by its id, one is refused") {
            val bench = bench()
            val id = bench.dead()
            var looks = 0
            val source = Watched(bench.ledger.dataSource) {
                if (it > 1 &&
                    looks++ == 1
                ) {
                    bench.client.jobs.requeue(everything, id)
                }
            }

            shouldRefuse(ErrorCode.JOB_STATE) { RunledgerClient.create(source).jobs.requeue(everything, id) }
                .message shouldContain "PENDING"

            bench.row(id, "status, run_number") shouldBe "PENDING|2"
        }

        test("an expectation that does not hold says how the job stands and changes nothing") {
            val bench = bench()
            val id = bench.dead()
            val before = bench.row(id, "row_to_json(job_queue)")

            bench.client.jobs.requeue(everything, deadLetter(id, run = 2)) shouldBe
                RequeueOutcome.ExpectationMismatch(id, JobStatus.DEAD_LETTERED, 1)
            bench.client.jobs.requeue(everything, RequeueRequest(id, JobStatus.CANCELED, 1, reset, null)) shouldBe
                RequeueOutcome.ExpectationMismatch(id, JobStatus.DEAD_LETTERED, 1)
            val elsewhere = Scope.organization(UUID.randomUUID())
            bench.client.jobs.requeue(elsewhere, deadLetter(id)) shouldBe RequeueOutcome.NotFound(id)
            bench.row(id, "row_to_json(job_queue)") shouldBe before
        }

        test("a mismatch neither waits for a running job's row nor is in its heartbeat's way") {
            val bench = bench()
            val lease = bench.leased()

            bench.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                bench.client.within(connection).jobs.requeue(everything, deadLetter(lease.jobId())) shouldBe
                    RequeueOutcome.ExpectationMismatch(lease.jobId(), JobStatus.LEASED, 1)
                bench.client.leases.renew(listOf(lease), Duration.ofSeconds(9)).single().answer() shouldBe Renewal.Answer.RENEWED
                connection.commit()
            }
        }

        test("a job that gives up between the look and the answer is requeued, not reported as standing where it was asked for") {
            val bench = bench()
            val lease = bench.leased()
            var looks = 0
            val source = Watched(bench.ledger.dataSource) { if (it > 1 && looks++ == 1) bench.die(lease) }

            RunledgerClient.create(
                source,
            ).jobs.requeue(everything, deadLetter(lease.jobId())).shouldBeInstanceOf<RequeueOutcome.Requeued>()

            source.statements shouldBe 4
            bench.row(lease.jobId(), "status, run_number") shouldBe "PENDING|2"
        }

        test("a job canceled under its handler waits until that must have noticed, and the look leaves no lock") {
            val bench = bench()
            val lease = bench.leased()
            val seen = bench.client.jobs.cancel(everything, lease.jobId())
            val request = RequeueRequest.of(seen, reset, null)

            bench.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                val early = bench.client.within(connection).jobs.requeue(everything, request)
                early.shouldBeInstanceOf<RequeueOutcome.CancellationNotQuiesced>().quietAt() shouldBe seen.quietAt()
                early.retryAfter() shouldBeGreaterThan Duration.ZERO
                bench.expire(lease.jobId())
                connection.rollback()
            }

            bench.client.jobs.requeue(everything, request).shouldBeInstanceOf<RequeueOutcome.Requeued>()
            bench.row(lease.jobId(), "lease_expires_at") shouldBe ""
        }

        test("a workflow step's job is not requeued on its own") {
            val bench = bench()
            val id = bench.dead()
            val free = bench.dead()
            bench.ofWorkflow(id)

            val both = listOf(deadLetter(free), deadLetter(id))
            shouldRefuse(ErrorCode.WORKFLOW_JOB_REQUEUE) { bench.client.jobs.requeueAll(everything, both) }

            bench.row(free, "status") shouldBe "DEAD_LETTERED"
            val requeued = bench.client.jobs.requeueDeadLetters(everything, JobSelection.any(), reset, null, 9)
            requeued.map { it.jobId() } shouldContainExactly listOf(free)
        }

        test("only canceled and dead-lettered jobs can be asked for") {
            val bench = bench()
            val done = bench.succeeded()

            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { RequeueRequest(done, JobStatus.SUCCEEDED, 1, reset, null) }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) {
                bench.client.jobs.requeueAll(everything, listOf(deadLetter(done), deadLetter(done)))
            }
        }

        test("a transaction that is not READ COMMITTED is refused") {
            val bench = bench()
            val id = bench.dead()

            bench.ledger.database.connect().use { connection ->
                connection.autoCommit = false
                connection.transactionIsolation = Connection.TRANSACTION_REPEATABLE_READ
                shouldRefuse(ErrorCode.REQUEUE_ISOLATION) {
                    bench.client.within(connection).jobs.requeue(everything, deadLetter(id))
                }
                connection.rollback()
            }
        }

        test("dead letters of one failure are requeued together") {
            val bench = bench()
            val hit = List(3) { bench.dead("test.flaky") }
            val other = bench.dead("test.other")

            val flaky = JobSelection.any().failedWith("test.flaky")
            val requeued = bench.client.jobs.requeueDeadLetters(everything, flaky, reset, "fixed", 9)

            requeued.map { it.jobId() } shouldContainExactlyInAnyOrder hit
            bench.row(other, "status") shouldBe "DEAD_LETTERED"
        }

        test("every dead letter a selection means is requeued once in one call, also when it gives up again meanwhile") {
            val bench = bench()
            bench.ledger.run("INSERT INTO runledger.job_definitions (job_type) VALUES ('a.first'), ('z.last')")
            val ids = List(1_203) { n -> JobRequest.builder(listOf(Bench.TYPE, "a.first", "z.last")[n % 3], n).build() }
                .let { bench.client.jobs.enqueueAll(it) }.map { it.id() }
            val gaveUp = "SET status = 'DEAD_LETTERED', finished_at = now(), last_error_code = 'test.flaky'"
            bench.ledger.run("UPDATE runledger.job_queue $gaveUp")
            // Gives up again as soon as it is requeued.
            bench.ledger.run(
                """CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN NEW.status := ''DEAD_LETTERED''; NEW.finished_at := now(); NEW.last_error_code := ''test.flaky''; RETURN NEW; END'""",
                "CREATE TRIGGER give_up BEFORE UPDATE ON runledger.job_queue " +
                    "FOR EACH ROW WHEN (NEW.status = 'PENDING') EXECUTE FUNCTION give_up()",
            )

            fun requeueAll(selection: JobSelection, scope: Scope = everything) =
                bench.client.jobs.requeueAllDeadLetters(scope, selection, reset)

            requeueAll(JobSelection.any().failedWith("test.other")) shouldBe 0
            requeueAll(JobSelection.any()) shouldBe ids.size
            requeueAll(JobSelection.ofType("z.last").failedWith("test.flaky")) shouldBe 401
            requeueAll(JobSelection.any(), Scope.organization(UUID.randomUUID())) shouldBe 0

            bench.ledger.rows("SELECT run_number, count(*) FROM runledger.job_queue GROUP BY 1 ORDER BY 1") shouldContainExactly
                listOf("2|802", "3|401")
        }
    })
