package io.runledger.exposed.verify

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.TestLedger
import io.runledger.exposed.claim
import io.runledger.exposed.define
import io.runledger.exposed.enqueue
import io.runledger.exposed.freshLedger
import io.runledger.exposed.makeDue
import io.runledger.exposed.settle
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.work
import io.runledger.exposed.workflow.workflow
import io.runledger.model.failure.JobFailure
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class VerifySpec :
    FunSpec({
        val broken = JobFailure.retryable("test.broken", "It broke.")
        val retry = Verdict.Retry(broken, Duration.ZERO, null)
        val giveUp = Verdict.DeadLetter(broken, DeadLetterReason.ATTEMPTS_EXHAUSTED)

        fun TestLedger.broken(): List<String> = client.verify().contradictions().map { it.rule() }

        /** A ledger whose constraints do not keep a test from damaging it. */
        fun defenceless(ledger: TestLedger): TestLedger = ledger.apply {
            rows(
                "SELECT conrelid::regclass || ' DROP CONSTRAINT ' || conname FROM pg_constraint " +
                    "WHERE connamespace = 'runledger'::regnamespace AND contype = 'c'",
            ).forEach { run("ALTER TABLE $it") }
        }

        fun TestLedger.attempted(verdict: Verdict): UUID {
            val id = enqueue().id()
            settle(claim().single(), verdict)
            return id
        }

        test("a ledger that lived is sound, and says how much was looked at") {
            val ledger = freshLedger().define("mail")
            val failed = ledger.attempted(retry)
            ledger.makeDue(failed)
            ledger.settle(ledger.claim().single(), giveUp)
            ledger.attempted(Verdict.Succeed(null))
            ledger.attempted(Verdict.Snooze(Duration.ofHours(1)))
            val canceled = ledger.enqueue().id()
            ledger.claim()
            ledger.client.jobs.cancel(Scope.everything(), canceled)
            ledger.enqueue()
            ledger.claim()

            val verification = ledger.client.verify()

            verification.contradictions().shouldContainExactly(emptyList())
            verification.isSound shouldBe true
            verification.jobs() shouldBe 5
            verification.attempts() shouldBe 5
            verification.toString() shouldContain "sound"
        }

        fun damagedJob(rule: String, verdict: Verdict?, sql: (UUID) -> String) = test("damage to a job is named: $rule") {
            val ledger = defenceless(freshLedger().define("mail"))
            ledger.attempted(Verdict.Succeed(null))
            val id = if (verdict == null) ledger.enqueue().id() else ledger.attempted(verdict)
            ledger.broken().shouldContainExactly(emptyList())

            ledger.run(sql(id))

            val found = ledger.client.verify().contradictions()
            found.map { it.rule() } shouldContain rule
            found.map { it.subject() }.toSet() shouldBe setOf(id)
        }
        val queue = "UPDATE runledger.job_queue SET"
        val attempts = "UPDATE runledger.job_attempts SET"
        damagedJob("attempt.orphan", retry) { "DELETE FROM runledger.job_queue WHERE id = '$it'" }
        damagedJob("attempt.gap", retry) { "$attempts attempt = 2 WHERE job_id = '$it'" }
        damagedJob("attempt.beyond_run", retry) { "$attempts run_number = 2 WHERE job_id = '$it'" }
        damagedJob("attempt.after_success", Verdict.Succeed(null)) {
            "INSERT INTO runledger.job_attempts (job_id, run_number, attempt, outcome, worker_id, leased_at, started_at, " +
                "finished_at, lease_seconds) VALUES ('$it', 1, 2, 'SUCCEEDED', 'w2', now(), now(), now(), 60)"
        }
        damagedJob("job.type_undefined", null) { "$queue job_type = 'gone' WHERE id = '$it'" }
        damagedJob("job_key.orphan", null) {
            "WITH gone AS (DELETE FROM runledger.job_queue WHERE id = '$it' RETURNING id) " +
                "INSERT INTO runledger.job_keys (job_id, is_payload, job_type, key) SELECT id, false, 'mail', 'k' FROM gone"
        }
        damagedJob("job_key.mismatch", null) {
            "INSERT INTO runledger.job_keys (job_id, organization_id, is_payload, job_type, key) VALUES ('$it', '$it', false, 'mail', 'k')"
        }
        damagedJob("job.attempts", retry) { "$queue attempt = 0 WHERE id = '$it'" }
        damagedJob("job.interruptions", retry) { "$queue interruptions = 1 WHERE id = '$it'" }
        damagedJob("job.success", retry) { "$attempts outcome = 'SUCCEEDED' WHERE job_id = '$it'" }
        damagedJob("job.runs", null) { "$queue run_number = 2 WHERE id = '$it'" }
        damagedJob("job.lease", null) { "$queue worker_id = 'somebody' WHERE id = '$it'" }
        damagedJob("job.end", null) { "$queue finished_at = now() WHERE id = '$it'" }
        damagedJob("job.events", null) { "$queue status = 'CANCELED', finished_at = now() WHERE id = '$it'" }
        damagedJob("job.dead_letter", giveUp) { "DELETE FROM runledger.job_dead_letters WHERE job_id = '$it'" }
        damagedJob("dead_letter.unfounded", giveUp) { "$queue status = 'PENDING', finished_at = NULL WHERE id = '$it'" }
        damagedJob("job.pause", null) { "$queue is_paused = true WHERE id = '$it'" }
        damagedJob("job.step", null) { "$queue is_step = true WHERE id = '$it'" }

        fun damagedRun(rule: String, sql: (UUID) -> String) =
            test("damage to a run is named: $rule, by ${sql(UUID(0, 0)).substringBefore(" WHERE")}") {
                val flow = flow()
                defenceless(flow.ledger)
                val request = workflow {
                    work("second", work("first"))
                    activeKey("one at a time")
                }
                val run = flow.client.workflows.enqueueUnlessActive(request).runId()
                flow.contradictions().shouldContainExactly(emptyList())

                flow.ledger.run(sql(run))

                flow.ledger.broken() shouldContain rule
            }
        val steps = "UPDATE runledger.workflow_step_rows SET"
        val runs = "UPDATE runledger.workflow_runs SET"
        damagedRun("run.counters") { "$runs open_steps = 7 WHERE id = '$it'" }
        damagedRun("run.status") { "$runs status = 'SUCCEEDED', finished_at = now() WHERE id = '$it'" }
        damagedRun("run.end") { "$runs finished_at = now() WHERE id = '$it'" }
        damagedRun("active_key.kept") { "$runs finished_at = now() WHERE id = '$it'" }
        damagedRun("run.pause") { "$runs paused_at = now() WHERE id = '$it'" }
        damagedRun("step.pause") { "$queue is_paused = true WHERE is_step" }
        damagedRun("step.counters") {
            "$steps dependency_count_pending = 0 WHERE workflow_run_id = '$it' AND step_key = 'second'"
        }
        damagedRun("step.released_early") {
            "INSERT INTO runledger.job_queue (id, is_step, job_type, max_attempts) SELECT job_id, true, job_type, 1 " +
                "FROM runledger.workflow_step_rows WHERE workflow_run_id = '$it' AND step_key = 'second'"
        }
        damagedRun("step.forgotten") { "$queue status = 'DEAD_LETTERED' WHERE is_step" }
        damagedRun("step.forgotten") { "DELETE FROM runledger.job_queue WHERE is_step" }
        damagedRun("step.skipped") { "$steps status = 'SKIPPED' WHERE workflow_run_id = '$it' AND step_key = 'second'" }
        damagedRun("step.job") { "$steps status = 'CANCELED' WHERE workflow_run_id = '$it' AND step_key = 'first'" }
        damagedRun("step.job") { "$queue is_step = false WHERE is_step" }
        damagedRun("step.type_undefined") { "$steps job_type = 'gone' WHERE workflow_run_id = '$it'" }
        damagedRun("step.orphan") { "$steps workflow_run_id = gen_random_uuid() WHERE workflow_run_id = '$it'" }
        damagedRun("dependency.orphan") {
            "UPDATE runledger.workflow_step_dependencies SET prerequisite_step_id = gen_random_uuid() WHERE workflow_run_id = '$it'"
        }

        test("many contradictions of one kind are not all told") {
            val ledger = freshLedger().define("mail")
            repeat(150) { ledger.enqueue() }
            ledger.run("UPDATE runledger.job_queue SET run_number = 2")

            ledger.broken() shouldHaveSize 100
        }
    })
