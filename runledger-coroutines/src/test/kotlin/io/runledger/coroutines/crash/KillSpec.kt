package io.runledger.coroutines.crash

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.TestLedger
import io.runledger.coroutines.Witness
import io.runledger.coroutines.freshLedger
import io.runledger.coroutines.handlers
import io.runledger.coroutines.quick
import io.runledger.coroutines.stepMachine
import io.runledger.coroutines.until
import io.runledger.coroutines.working
import io.runledger.model.fleet.WorkerSelection
import io.runledger.model.fleet.WorkerState
import io.runledger.model.job.JobStatus
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.schedule.FireOutcome
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeout
import java.io.IOException
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.seconds

class KillSpec :
    FunSpec({
        /** Lets a second worker take over, once the first one's lease of two seconds has run out. */
        suspend fun TestLedger.inherit(by: Handlers = handlers { on(wait) { "inherited" } }, test: suspend (Witness) -> Unit) =
            working(
                client,
                by,
                quick {
                    workerId("heir").reaper(true).reaperInterval(Duration.ofMillis(50)).reaperRetryDelay(Duration.ofMillis(1))
                },
                test = test,
            )

        fun TestLedger.attempts(id: UUID) = client.jobs.story(Scope.everything(), id).attempts()
            .map { "${it.attempt()} ${it.outcome()} ${it.workerId()}" }

        test("a job whose worker is killed is finished by another one, and its story shows both attempts") {
            val ledger = freshLedger()
            ledger.define(wait)
            val id = ledger.enqueue(wait, "")
            DoomedJvm.start(WaitingProgram::class, ledger.database).use { doomed ->
                doomed.await("started $id")
                doomed.kill()
            }
            ledger.job(id).status() shouldBe JobStatus.LEASED

            ledger.inherit {
                it.await("succeeded", id)
                it.await("reaped", id)
                // The reaper reports after its commit, so a quick claim may be reported first.
                it.of(id) shouldContainExactlyInAnyOrder listOf("reaped", "claimed", "started", "succeeded")
            }

            ledger.attempts(id) shouldContainExactly listOf("1 LEASE_EXPIRED doomed", "2 SUCCEEDED heir")
            ledger.job(id).output() shouldBe Json.of("\"inherited\"")
        }

        test("a machine whose worker is killed goes on at the step it had come to, with what that knew") {
            val ledger = freshLedger()
            ledger.define(baking)
            val id = ledger.enqueue(baking, Baking.Knead)
            DoomedJvm.start(BakingProgram::class, ledger.database).use { doomed ->
                doomed.await("bakes")
                doomed.kill()
            }

            val machine = stepMachine(baking) {
                on<Baking.Knead> { error("It was kneaded already.") }
                on<Baking.Bake> { done("${it.loaves} loaves") }
            }
            ledger.inherit(handlers { machine(machine) }) { it.await("succeeded", id) }

            ledger.client.jobs.path(Scope.everything(), id).map { "$it" } shouldContainExactly listOf("Knead -> Bake")
            ledger.job(id).output() shouldBe Json.of("\"12 loaves\"")
            ledger.attempts(id) shouldContainExactly listOf("1 SUCCEEDED doomed", "1 LEASE_EXPIRED doomed", "2 SUCCEEDED heir")
        }

        test("a job keeps its own retry policy when its worker is killed") {
            val ledger = freshLedger()
            ledger.define(wait)
            val id = ledger.enqueue(wait, "") { retryPolicy(RetryPolicy.fixed(Duration.ofHours(1))).maxAttempts(3) }
            DoomedJvm.start(WaitingProgram::class, ledger.database).use { doomed ->
                doomed.await("started $id")
                doomed.kill()
            }

            ledger.inherit(handlers { on(wait) { throw IOException("The oven is cold.") } }) {
                it.await("reaped", id)
                ledger.value("SELECT next_run_at > now() + interval '50 min' FROM runledger.job_queue WHERE id = '$id'") shouldBe
                    "t"
                ledger.run("UPDATE runledger.job_queue SET next_run_at = now() WHERE id = '$id'")
                it.await("retried", id)
            }

            ledger.attempts(id) shouldContainExactly listOf("1 LEASE_EXPIRED doomed", "2 RETRYABLE heir")
            ledger.rows("SELECT retry_delay_ms FROM runledger.job_attempts WHERE job_id = '$id'") shouldContainExactly
                listOf("3600000", "3600000")
        }

        test("a step whose worker is killed while its run is paused is taken back, and begun again only after the resume") {
            val ledger = freshLedger()
            ledger.define(wait)
            val workflow = WorkflowRequest.builder("w").apply { job("step", wait, "") }.build()
            val run = ledger.client.workflows.enqueue(workflow).runId()
            val id = checkNotNull(ledger.client.workflows.allSteps(Scope.global(), run).single().job()?.jobId())
            DoomedJvm.start(WaitingProgram::class, ledger.database).use { doomed ->
                doomed.await("started $id")
                ledger.client.workflows.pause(Scope.global(), run, "the worker is sick")
                doomed.kill()
            }

            ledger.inherit {
                it.await("reaped", id)
                // Due later than the step's job, so a worker that may take it has passed that.
                val isDue = "SELECT next_run_at < now() FROM runledger.job_queue WHERE id = '$id'"
                until("the step is due") { ledger.value(isDue) == "t" }
                it.await("succeeded", ledger.enqueue(wait, ""))
                it.of(id) shouldContainExactly listOf("reaped")
                ledger.client.workflows.resume(Scope.global(), run, "there is another one")
                it.await("succeeded", id)
            }

            ledger.attempts(id) shouldContainExactly listOf("1 LEASE_EXPIRED doomed", "2 SUCCEEDED heir")
            ledger.client.workflows.get(Scope.global(), run).status() shouldBe WorkflowRunStatus.SUCCEEDED
        }

        test("a worker that is killed is shown as lost by the database's clock, however wrong its own, until it is forgotten") {
            (listOf(FakeClock.RIGHT) + FakeClock.WRONG.take(1) + FakeClock.WRONG.takeLast(1)).forEach { clock ->
                val ledger = freshLedger()
                ledger.define(wait)
                val id = ledger.enqueue(wait, "")
                val europe = WorkerSelection.labelled("eu")
                DoomedJvm.start(WaitingProgram::class, ledger.database, clock = clock).use { doomed ->
                    doomed.await("started $id")
                    until("a beat tells of the job") {
                        ledger.client.workers.list(europe).single().let { it.busySlots() == 1 && !it.isLost }
                    }
                    doomed.kill()
                }

                until("it is believed lost") { ledger.client.workers.list(europe).single().isLost }
                ledger.client.workers.drain(europe, "Its label is drained.").workers().map { it.workerId() } shouldContainExactly
                    listOf("doomed")
                ledger.inherit { it.await("succeeded", id) }
                ledger.attempts(id) shouldContainExactly listOf("1 LEASE_EXPIRED doomed", "2 SUCCEEDED heir")
                ledger.client.retention.pruneWorkers(Duration.ZERO, 10) shouldBe 1
                ledger.client.workers.list().shouldBeEmpty()
            }
        }

        test("a worker that is killed while it drains is waited for until it is lost; the order binds who comes after it") {
            val ledger = freshLedger()
            ledger.define(wait)
            val id = ledger.enqueue(wait, "")
            val all = WorkerSelection.all()
            val workers = ledger.client.workers
            DoomedJvm.start(WaitingProgram::class, ledger.database).use { doomed ->
                doomed.await("started $id")
                workers.drain(all, "Deploy 4.2")
                until("it drains") { workers.list().single().state() == WorkerState.DRAINING }
                doomed.kill()
            }
            workers.awaitDrained(all, Duration.ofMinutes(1)).join().map { it.workerId() to it.isLost } shouldContainExactly
                listOf("doomed" to true)

            ledger.inherit { witness ->
                until("the heir is drained") {
                    workers.list().any { it.workerId() == "heir" && it.state() == WorkerState.DRAINED }
                }
                witness.await("reaped", id)
                ledger.job(id).status() shouldBe JobStatus.PENDING
                workers.resumeAll("Deployed.")
                witness.await("succeeded", id)
            }

            ledger.attempts(id) shouldContainExactly listOf("1 LEASE_EXPIRED doomed", "2 SUCCEEDED heir")
        }

        test("a worker that is killed before it obeys a stop takes the order with it: who comes in its place works") {
            val ledger = freshLedger()
            ledger.define(wait)
            val id = ledger.enqueue(wait, "")
            DoomedJvm.start(WaitingProgram::class, ledger.database).use { doomed ->
                doomed.await("started $id")
                doomed.freeze()
                ledger.client.workers.stop(WorkerSelection.all(), "Too old.").workers().map { it.workerId() } shouldContainExactly
                    listOf("doomed")
                doomed.kill()
            }

            ledger.inherit { it.await("succeeded", id) }

            ledger.attempts(id) shouldContainExactly listOf("1 LEASE_EXPIRED doomed", "2 SUCCEEDED heir")
        }

        test("a worker that slept through its lease cannot end the job that another one has ended") {
            val ledger = freshLedger()
            ledger.define(wait)
            val id = ledger.enqueue(wait, "")
            DoomedJvm.start(WaitingProgram::class, ledger.database).use { doomed ->
                doomed.await("started $id")
                doomed.freeze()
                ledger.inherit { it.await("succeeded", id) }

                doomed.tell("go on")
                doomed.wake()
                doomed.await("lost $id")
            }

            ledger.attempts(id) shouldContainExactly listOf("1 LEASE_EXPIRED doomed", "2 SUCCEEDED heir")
            ledger.job(id).output() shouldBe Json.of("\"inherited\"")
        }

        test("a dead letter whose worker is killed before its hook has taken it is handed over by another one") {
            val ledger = freshLedger()
            ledger.define(wait)
            val id = ledger.enqueue(wait, "")
            DoomedJvm.start(HookingProgram::class, ledger.database).use { doomed ->
                doomed.await("handed $id")
                doomed.kill()
            }
            ledger.job(id).status() shouldBe JobStatus.DEAD_LETTERED

            val handed = CompletableDeferred<UUID>()
            working(
                ledger.client,
                handlers {
                    on(wait) { }
                },
                settings = { onDeadLetter("pager") { handed.complete(it.jobId()) } },
            ) {
                withTimeout(60.seconds) { handed.await() } shouldBe id
            }
        }

        test("a poll whose worker is killed is done by another one, and what it finds is started once") {
            val ledger = freshLedger()
            ledger.define(wait)
            DoomedJvm.start(PollingProgram::class, ledger.database).use { doomed ->
                doomed.await("polled")
                doomed.kill()
            }

            working(
                ledger.client,
                handlers { on(wait) { } },
                settings = { trigger("files", every = 1.seconds) { fire("a", wait, "") } },
            ) { witness ->
                witness.await("succeeded")
                until("it was polled again") {
                    ledger.client.schedules.fires(Scope.global(), "files").items().any {
                        it.outcome() ==
                            FireOutcome.SKIPPED_DUPLICATE
                    }
                }
            }
            ledger.client.schedules.fires(Scope.global(), "files").items().count { it.outcome() == FireOutcome.FIRED } shouldBe 1
            ledger.client.verify().isSound shouldBe true
        }
    })
