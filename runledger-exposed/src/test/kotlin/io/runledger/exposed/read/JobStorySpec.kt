package io.runledger.exposed.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.RunledgerClient
import io.runledger.exposed.define
import io.runledger.exposed.freshLedger
import io.runledger.exposed.makeDue
import io.runledger.exposed.settle
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.AttemptOutcome
import io.runledger.model.failure.JobFailure
import io.runledger.model.history.JobEventType
import io.runledger.model.history.JobLineage
import io.runledger.model.history.JobStory
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.job.JobStatus
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import java.time.Duration
import java.util.UUID

class JobStorySpec :
    FunSpec({
        val everything = Scope.everything()
        val broken = JobFailure.retryable("x.broken", "pipe burst")

        test("a story holds the attempts, the one that runs, the events, the logs and every dead letter") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            ledger.settle(ledger.claim(), Verdict.Retry(broken, Duration.ofSeconds(5), null))
            ledger.makeDue(id)
            ledger.settle(ledger.claim(), Verdict.DeadLetter(broken, DeadLetterReason.ATTEMPTS_EXHAUSTED))
            ledger.run(
                "INSERT INTO runledger.job_logs (job_id, attempt, level, message) VALUES ('$id', 2, 'WARN', 'leaking')",
                """UPDATE runledger.job_queue SET status = 'PENDING', run_number = 2, attempt = 0, finished_at = NULL,
                    next_run_at = now() WHERE id = '$id'""",
            )
            val claimed = ledger.claim()

            val story = ledger.client.jobs.story(Scope.global(), id)

            story.job().openAttempt().shouldNotBeNull().lease() shouldBe claimed.lease()
            story.attempts().map { it.runNumber() to it.attempt() } shouldContainExactly listOf(1 to 1, 1 to 2)
            story.attempts().map { it.outcome() }.toSet() shouldBe setOf(AttemptOutcome.RETRYABLE)
            story.attempts()[0].retryDelay() shouldBe Duration.ofSeconds(5)
            story.events() shouldBe ledger.client.jobs.events(Scope.global(), id).items()
            story.events().last().type() shouldBe JobEventType.LEASED
            story.logs().single().message() shouldBe "leaking"
            story.deadLetters().single().errorMessage() shouldBe "pipe burst"
            story.lineage() shouldBe JobLineage(null, emptyList(), null, null)
        }

        test("the lineage names what the job repeats, what repeats it, its schedule's instant and its step") {
            val ledger = freshLedger().define("t")
            val (source, job, replay) = List(3) { ledger.enqueue() }
            val (schedule, run, step) = List(3) { UUID.randomUUID() }
            ledger.run(
                """INSERT INTO runledger.job_replays (replay_job_id, source_job_id, source_run_number, replay_request_key, reason)
                    VALUES ('$job', '$source', 1, 'k', 'again'), ('$replay', '$job', 1, 'k', 'and again')""",
                """INSERT INTO runledger.job_schedules (id, name, job_type, interval_seconds, next_fire_at)
                    VALUES ('$schedule', 's', 't', 60, now())""",
                """INSERT INTO runledger.job_schedule_fires (schedule_id, job_id, scheduled_for, outcome)
                    VALUES ('$schedule', '$job', now(), 'FIRED')""",
                "INSERT INTO runledger.workflow_runs (id, workflow_type) VALUES ('$run', 'w')",
                """INSERT INTO runledger.workflow_step_rows (id, workflow_run_id, job_id, ordinal, step_key, status, job_type, priority,
                    max_attempts, timeout_seconds, stage)
                    VALUES ('$step', '$run', '$job', 0, 'crawl', 'BLOCKED', 't', 1, 1, 1, 'queued')""",
            )

            val lineage = ledger.client.jobs.story(everything, job).lineage()

            lineage.replayedFrom().shouldNotBeNull().sourceJobId() shouldBe source
            lineage.replays().map { it.replayJobId() } shouldContainExactly listOf(replay)
            lineage.fire().shouldNotBeNull().scheduleId() shouldBe schedule
            lineage.fire()?.outcome() shouldBe FireOutcome.FIRED
            lineage.step() shouldBe
                JobLineage.Step(run, "w", WorkflowRunStatus.RUNNING, step, "crawl", WorkflowStepStatus.ENQUEUED)
            ledger.client.jobs.story(everything, source).lineage().replayedFrom().shouldBeNull()
        }

        test("a story is of one moment, also when the job ends while it is read, and takes seven statements") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            val claimed = ledger.claim()
            val source = Watched(ledger.dataSource) { if (it == 2) ledger.settle(claimed, Verdict.Succeed(null)) }

            val story = RunledgerClient.create(source).jobs.story(everything, id)

            story.job().status() shouldBe JobStatus.LEASED
            story.attempts().shouldBeEmpty()
            story.events().map { it.type() } shouldContainExactly listOf(JobEventType.ENQUEUED, JobEventType.LEASED)
            source.statements shouldBe 7
            ledger.client.jobs.get(everything, id).status() shouldBe JobStatus.SUCCEEDED
        }

        test("of a very long story the last part is told, in order") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            ledger.run(
                """INSERT INTO runledger.job_logs (job_id, level, message)
                    SELECT '$id', 'INFO', n::text FROM generate_series(1, 1005) n""",
                """INSERT INTO runledger.job_attempts (job_id, run_number, attempt, leased_at, started_at, finished_at, lease_seconds,
                    outcome, worker_id)
                    SELECT '$id', 1, n, now(), now(), now(), 30, 'INTERRUPTED', 'w' FROM generate_series(1, 1005) n""",
            )

            val story = ledger.client.jobs.story(everything, id)

            story.logs().map { it.message() } shouldContainExactly (6..1_005).map { "$it" }
            story.attempts().map { it.attempt() } shouldContainExactly (6..1_005).toList()
            story.events().size shouldBe JobStory.MAX_ENTRIES
            story.events().last().number() shouldBe 1 + 2 * 1_005L
        }

        test("events are read on from the last one seen") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            val claimed = ledger.claim()
            val seen = ledger.client.jobs.events(everything, id).items()

            ledger.client.jobs.events(everything, id, after = seen.last().cursor()).items().shouldBeEmpty()
            ledger.settle(claimed, Verdict.Succeed(null))

            ledger.client.jobs.events(everything, id, after = seen.last().cursor()).items().map { it.type() } shouldContainExactly
                listOf(JobEventType.SUCCEEDED)
            val middle = ledger.client.jobs.events(everything, id, 1, seen.first().cursor())
            middle.items().map { it.type() } shouldContainExactly listOf(JobEventType.LEASED)
            middle.next() shouldBe middle.items().single().cursor()
            ledger.client.jobs.events(everything, id, 3).next() shouldBe null
            shouldRefuse(ErrorCode.INVALID_PAGINATION) { ledger.client.jobs.events(everything, id, after = "not a cursor") }
        }
    })
