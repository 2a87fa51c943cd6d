package io.runledger.exposed.read

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.runledger.exposed.TestLedger
import io.runledger.exposed.define
import io.runledger.exposed.fleet.card
import io.runledger.exposed.freshLedger
import io.runledger.exposed.settle
import io.runledger.model.policy.Verdict
import io.runledger.model.run.JobFailure
import io.runledger.model.spec.WorkerSelection
import io.runledger.model.state.DeadLetterReason
import io.runledger.model.state.JobReason
import io.runledger.model.state.JobReason.Code
import io.runledger.model.state.Scope
import java.time.Duration
import java.util.UUID

class WhyJobSpec :
    FunSpec({
        fun TestLedger.why(id: UUID): List<JobReason> = client.jobs.why(Scope.everything(), id)

        fun TestLedger.codes(id: UUID) = why(id).map { it.code() }

        fun List<JobReason>.sentence(code: Code) = single { it.code() == code }.sentence()

        /** A worker that has just served the type. */
        fun TestLedger.served() = apply {
            enqueue { priority(1_000) }
            settle(claim(), Verdict.Succeed(null))
        }

        test("a due job with a worker about waits for a free worker") {
            val ledger = freshLedger().define("t").served()

            ledger.codes(ledger.enqueue()) shouldContainExactly listOf(Code.READY)
        }

        test("a job nobody serves says so, and one whose type was served counts its neighbours' workers") {
            val ledger = freshLedger().define("t", "u").served()
            val alone = ledger.enqueue("u")

            ledger.codes(alone) shouldContainExactly listOf(Code.NO_WORKER_SEEN, Code.READY)
            ledger.run("UPDATE runledger.job_attempts SET finished_at = now() - interval '6 minutes'")
            ledger.codes(ledger.enqueue()) shouldContainExactly listOf(Code.NO_WORKER_SEEN, Code.READY)
            ledger.enqueue { priority(1_000) }
            ledger.claim()
            ledger.codes(ledger.enqueue { priority(2_000) }) shouldContainExactly listOf(Code.READY)
        }

        test("a job whose workers are all told to drain says so, and not that it waits for a free one") {
            val ledger = freshLedger().define("t", "u").served()
            val workers = ledger.client.workers
            listOf("eu", "us").forEach { workers.enter(card("w-$it", it, types = listOf("t"))) }
            val id = ledger.enqueue()
            val (eu, us) = listOf("eu", "us").map(WorkerSelection::labelled)

            workers.drain(eu, "Deploy 4.2")
            ledger.codes(id) shouldContainExactly listOf(Code.READY)
            val second = workers.drain(us, "Deploy 4.2").order()
            val why = ledger.why(id).single()
            ledger.codes(ledger.enqueue("u")) shouldContainExactly listOf(Code.NO_WORKER_SEEN, Code.READY)
            workers.resumeAll("Deployed.")

            why.code() shouldBe Code.FLEET_DRAINED
            why.at() shouldBe second.orderedAt()
            ledger.codes(id) shouldContainExactly listOf(Code.READY)
            workers.drain(WorkerSelection.all(), "Maintenance.", Duration.ofHours(1))
            ledger.codes(ledger.enqueue("u")) shouldContainExactly listOf(Code.FLEET_DRAINED, Code.JOBS_AHEAD)
            ledger.run("UPDATE runledger.worker_orders SET ends_at = now() WHERE ends_at IS NOT NULL")
            ledger.codes(id) shouldContainExactly listOf(Code.READY)
        }

        test("jobs before it are counted: higher priority, then earlier due, but not future or other ones") {
            val ledger = freshLedger().define("t", "u").served()
            ledger.enqueue { priority(300) }
            ledger.enqueue { priority(200) }
            ledger.enqueue()
            val id = ledger.enqueue()
            ledger.enqueue()
            ledger.enqueue { priority(1) }
            ledger.enqueue("u") { priority(500) }
            ledger.enqueue {
                priority(400)
                delay(Duration.ofHours(1))
            }

            val why = ledger.why(id)

            why.map { it.code() } shouldContainExactly listOf(Code.JOBS_AHEAD, Code.READY)
            why.sentence(Code.JOBS_AHEAD) shouldStartWith "3 due jobs"
        }

        test("beyond a thousand they are no longer counted") {
            val ledger = freshLedger().define("t").served()
            ledger.run(
                """INSERT INTO runledger.job_queue (job_type, max_attempts, priority, next_run_at)
                    SELECT 't', 1, 100 + n % 3, now() - interval '1 hour' FROM generate_series(1, 1200) n""",
            )

            ledger.why(ledger.enqueue()).sentence(Code.JOBS_AHEAD) shouldStartWith "At least 1000 due jobs"
        }

        test("a paused type outweighs a time that has not come") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue { delay(Duration.ofHours(1)) }
            ledger.run("UPDATE runledger.job_definitions SET is_paused = true, is_enabled = false")

            val why = ledger.why(id)

            why.map { it.code() } shouldContainExactly listOf(Code.TYPE_PAUSED, Code.NOT_DUE, Code.TYPE_DISABLED)
            why[1].at() shouldBe ledger.client.jobs.get(Scope.global(), id).nextRunAt()
            why[1].sentence() shouldContain "enqueued for that time"
        }

        test("a retry and a snooze say what they wait for") {
            val ledger = freshLedger().define("t")
            val retried = ledger.enqueue()
            ledger.settle(ledger.claim(), Verdict.Retry(JobFailure.retryable("x.busy", null), Duration.ofMinutes(1), null))
            val snoozed = ledger.enqueue()
            ledger.settle(ledger.claim(), Verdict.Snooze(Duration.ofMinutes(1)))

            ledger.why(retried).sentence(Code.NOT_DUE) shouldContain "tried again after x.busy"
            ledger.why(snoozed).sentence(Code.NOT_DUE) shouldContain "SNOOZED"
        }

        test("a running job names its worker, and one whose lease ran out waits for the reaper") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            ledger.claim()

            ledger.why(id).single().code() shouldBe Code.RUNNING
            ledger.why(id).single().sentence() shouldContain "w1"
            ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second'")
            ledger.codes(id) shouldContainExactly listOf(Code.LEASE_EXPIRED)
        }

        test("an ended job says how and why it ended") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            val failure = JobFailure.terminal("x.gone", "secret detail")
            ledger.settle(ledger.claim(), Verdict.DeadLetter(failure, DeadLetterReason.FAILURE_KIND_NON_RETRYABLE))

            val reason = ledger.why(id).single()

            reason.code() shouldBe Code.ENDED
            reason.sentence() shouldContain "DEAD_LETTERED"
            reason.sentence() shouldContain "TERMINAL, x.gone"
            reason.at() shouldBe ledger.client.jobs.get(Scope.global(), id).finishedAt()
        }

        test("a workflow's job names its step") {
            val ledger = freshLedger().define("t").served()
            val id = ledger.enqueue()
            val run = UUID.randomUUID()
            ledger.run(
                "INSERT INTO runledger.workflow_runs (id, workflow_type) VALUES ('$run', 'w')",
                """INSERT INTO runledger.workflow_steps (workflow_run_id, job_id, ordinal, step_key, status, job_type, priority,
                    max_attempts, timeout_seconds, stage) VALUES ('$run', '$id', 0, 'crawl', 'ENQUEUED', 't', 1, 1, 1, 'queued')""",
            )

            ledger.codes(id) shouldContainExactly listOf(Code.WORKFLOW_STEP, Code.READY)
            ledger.why(id).sentence(Code.WORKFLOW_STEP) shouldContain "crawl"
        }
    })
