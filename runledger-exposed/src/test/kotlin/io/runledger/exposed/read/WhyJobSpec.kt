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
import io.runledger.exposed.leases
import io.runledger.exposed.membership
import io.runledger.exposed.settle
import io.runledger.model.failure.JobFailure
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import io.runledger.model.history.JobEventType
import io.runledger.model.history.JobReason
import io.runledger.model.history.JobReason.Code
import io.runledger.model.job.ClaimOrigin
import io.runledger.model.job.DeadLetterReason
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import java.time.Duration
import java.util.UUID

class WhyJobSpec :
    FunSpec({
        fun TestLedger.why(id: UUID): List<JobReason> = client.jobs.why(Scope.everything(), id)

        fun TestLedger.codes(id: UUID) = why(id).map { it.code() }

        fun List<JobReason>.sentence(code: Code) = single { it.code() == code }.sentence()

        /** Puts a live worker on the list that serves [types]. */
        fun TestLedger.served(vararg types: String = arrayOf("t"), workerId: String = "w-listed") = apply {
            client.membership.enter(card(workerId, types = types.toList()))
        }

        /** A job of type t that ended a moment ago. */
        fun TestLedger.endedJob() = apply {
            enqueue { priority(1_000) }
            settle(claim(), Verdict.Succeed(null))
        }

        test(
            "a due job waits for a free worker if a live worker serves its type, also when that worker has not run any job yet",
        ) {
            val ledger = freshLedger().define("t").served("t", "u")

            ledger.codes(ledger.enqueue()) shouldContainExactly listOf(Code.READY)
        }

        test("a job whose type no worker on the list serves says so, however recently a job of the type ran") {
            val ledger = freshLedger().define("t", "u").endedJob()
            val id = ledger.enqueue()

            ledger.codes(id) shouldContainExactly listOf(Code.NO_WORKER)
            ledger.served("u")

            val why = ledger.why(id).single()
            why.code() shouldBe Code.NO_WORKER
            why.sentence() shouldBe "No live worker serves job type 't': start a worker that has a handler for it."
            why.at() shouldBe null
            ledger.codes(ledger.enqueue("u")) shouldContainExactly listOf(Code.READY)
        }

        test("a worker that missed its beats does not count, and is named with its last beat") {
            val ledger = freshLedger().define("t").served()
            val id = ledger.enqueue()
            ledger.run("UPDATE runledger.workers SET beat_at = now() - interval '89 seconds'")
            ledger.codes(id) shouldContainExactly listOf(Code.READY)

            ledger.run("UPDATE runledger.workers SET beat_at = now() - interval '91 seconds'")

            val why = ledger.why(id).single()
            why.code() shouldBe Code.NO_WORKER
            why.at() shouldBe ledger.client.workers.list().single().lastBeatAt()
            why.sentence() shouldBe "No live worker serves job type 't'; worker 'w-listed' served it and was " +
                "last seen at ${why.at()}: start a worker that has a handler for it."
            ledger.served(workerId = "w-next").codes(id) shouldContainExactly listOf(Code.READY)
        }

        test("a worker that stops takes no more jobs, from the order on") {
            val ledger = freshLedger().define("t", "u")
            val workers = ledger.client.workers
            val membership = ledger.client.membership
            val card = card("w-listed", "eu", types = listOf("t")).also(membership::enter)
            val id = ledger.enqueue()
            workers.stop(WorkerSelection.labelled("eu"), "Deploy 4.2")
            val ordered = ledger.why(id).single()
            membership.beat(card.id(), WorkerState.STOPPING, 0)
            val stopping = ledger.why(id).single()
            membership.leave(card.id())

            listOf(ordered, stopping).forEach {
                it.code() shouldBe Code.NO_WORKER
                it.sentence() shouldBe
                    "Every live worker that serves job type 't' is stopping: start a worker that has a handler for it."
            }
            ledger.why(id).single().sentence() shouldStartWith "No live worker serves job type 't'"
        }

        test("a worker that is not on the list counts while it holds a live lease of the type") {
            val ledger = freshLedger().define("t")
            ledger.enqueue { priority(1_000) }
            ledger.claim()
            val id = ledger.enqueue()

            ledger.codes(id) shouldContainExactly listOf(Code.READY)
            ledger.run("UPDATE runledger.job_queue SET lease_expires_at = now() - interval '1 second' WHERE status = 'LEASED'")
            ledger.codes(id) shouldContainExactly listOf(Code.NO_WORKER)
        }

        test("the lease of a lost worker does not make its type served") {
            val ledger = freshLedger().define("t").served(workerId = "w1")
            ledger.enqueue { priority(1_000) }
            ledger.claim().lease().workerId() shouldBe "w1"
            ledger.run("UPDATE runledger.workers SET beat_at = now() - interval '91 seconds'")

            ledger.codes(ledger.enqueue()) shouldContainExactly listOf(Code.NO_WORKER)
        }

        test("a job whose workers are all told to drain says so, and not that it waits for a free one") {
            val ledger = freshLedger().define("t", "u")
            val workers = ledger.client.workers
            val membership = ledger.client.membership
            listOf("eu", "us").forEach { membership.enter(card("w-$it", it, types = listOf("t"))) }
            val id = ledger.enqueue()
            val (eu, us) = listOf("eu", "us").map(WorkerSelection::labelled)

            workers.drain(eu, "Deploy 4.2")
            ledger.codes(id) shouldContainExactly listOf(Code.READY)
            val second = workers.drain(us, "Deploy 4.2").order()
            val why = ledger.why(id).single()
            ledger.codes(ledger.enqueue("u")) shouldContainExactly listOf(Code.NO_WORKER)
            workers.resumeAll("Deployed.")

            why.code() shouldBe Code.FLEET_DRAINED
            why.at() shouldBe second.orderedAt()
            ledger.codes(id) shouldContainExactly listOf(Code.READY)
            workers.drain(WorkerSelection.all(), "Maintenance.", Duration.ofHours(1))
            ledger.codes(id) shouldContainExactly listOf(Code.FLEET_DRAINED)
            ledger.codes(ledger.enqueue("u")) shouldContainExactly listOf(Code.FLEET_DRAINED, Code.NO_WORKER, Code.JOBS_AHEAD)
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

        test("a handler that ignored its timeout is told of for as long as it is waited for") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            val lease = ledger.claim().lease()
            ledger.client.leases.noteOvertime(lease, Duration.ofMinutes(10))
            val event = ledger.client.jobs.events(Scope.everything(), id).items().single {
                it.type() ==
                    JobEventType.TIMEOUT_IGNORED
            }

            val why = ledger.why(id)
            ledger.run("UPDATE runledger.job_journal SET payload = '{\"waits_until\": \"soon\"}'")
            val damaged = ledger.why(id)
            ledger.client.leases.release(listOf(lease), "SHUTDOWN")

            why.map { it.code() } shouldContainExactly listOf(Code.RUNNING, Code.TIMEOUT_IGNORED)
            why.last().at() shouldBe event.occurredAt().plus(Duration.ofMinutes(10))
            damaged.last().at() shouldBe null
            ledger.codes(id).contains(Code.TIMEOUT_IGNORED) shouldBe false
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

            ledger.why(retried).sentence(Code.NOT_DUE) shouldContain "retried after x.busy"
            ledger.why(snoozed).sentence(Code.NOT_DUE) shouldContain "SNOOZED"
        }

        test("a job that was claimed ahead is held until its start is recorded") {
            val ledger = freshLedger().define("t")
            val id = ledger.enqueue()
            val lease = ledger.claim(ClaimOrigin.WORKER_PRESTART).lease()

            ledger.why(id).single().code() shouldBe Code.HELD
            ledger.why(id).single().sentence() shouldContain "w1"
            ledger.client.leases.recordStarts(listOf(lease))
            ledger.why(id).single().code() shouldBe Code.RUNNING
            ledger.run(
                "UPDATE runledger.job_queue SET execution_started_persisted_at = NULL, lease_expires_at = now() - interval '1 s'",
            )
            ledger.why(id).single().code() shouldBe Code.LEASE_EXPIRED
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
                """INSERT INTO runledger.workflow_step_rows (workflow_run_id, job_id, ordinal, step_key, status, job_type, priority,
                    max_attempts, timeout_seconds, stage) VALUES ('$run', '$id', 0, 'crawl', 'BLOCKED', 't', 1, 1, 1, 'queued')""",
            )

            ledger.codes(id) shouldContainExactly listOf(Code.WORKFLOW_STEP, Code.READY)
            ledger.why(id).sentence(Code.WORKFLOW_STEP) shouldContain "crawl"
        }
    })
