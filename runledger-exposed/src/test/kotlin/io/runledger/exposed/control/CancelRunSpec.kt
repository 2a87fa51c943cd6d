package io.runledger.exposed.control

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.lease
import io.runledger.exposed.leases
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.signal.Heard
import io.runledger.exposed.signal.Signal
import io.runledger.exposed.workflow.flow
import io.runledger.exposed.workflow.gate
import io.runledger.exposed.workflow.jobOf
import io.runledger.exposed.workflow.joined
import io.runledger.exposed.workflow.step
import io.runledger.exposed.workflow.work
import io.runledger.model.error.ErrorCode
import io.runledger.model.lease.Renewal
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRunStatus
import java.sql.Connection
import java.util.UUID

class CancelRunSpec :
    FunSpec({
        val flow = flow()
        val everything = Scope.everything()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun cancel(run: UUID, reason: String? = "stop", scope: Scope = everything) =
            flow.client.workflows.cancel(scope, run, reason)

        test("everything that has not ended is canceled, and what has ended keeps its result") {
            val run = flow.start {
                val done = work("done")
                work("running", done)
                work("queued", done)
                gate("open")
                val blocked = work("blocked", done, work("slow"))
                work("after", blocked.onTerminal())
            }
            flow.succeed(flow.claim().getValue("done"), 1)
            flow.claim(1)

            val canceled = flow.client.workflows.cancel(everything, run, "stop", "test.stop", "Stopped by hand.")

            canceled.status() shouldBe WorkflowRunStatus.CANCELED
            canceled.statusReason() shouldBe "stop"
            canceled.openSteps() shouldBe 0
            flow.step(run, "done", "status, output, status_reason") shouldBe "SUCCEEDED|1|SUCCEEDED"
            flow.ledger.rows(
                "SELECT DISTINCT status, status_reason, last_error_code, last_error_message, finished_at IS NOT NULL " +
                    "FROM runledger.workflow_steps WHERE workflow_run_id = '$run' AND step_key <> 'done'",
            ).shouldContainExactly("CANCELED|stop|test.stop|Stopped by hand.|t")
        }

        test("blocked steps are not released by the cancellation of what they wait for, not even for any end") {
            val run = flow.start {
                val a = work("a")
                val b = work("b", a.onTerminal())
                work("c", b.onFailure())
            }
            val jobs = flow.jobs()

            cancel(run)

            flow.jobs() shouldBe jobs
            flow.steps(run).shouldContainExactly("a CANCELED", "b CANCELED", "c CANCELED")
            flow.claim().keys.shouldBeEmpty()
        }

        test("a run that has ended is given back as it is, canceled or not") {
            val canceled = flow.start { gate("g") }
            val first = cancel(canceled)
            val succeeded = flow.start {
                val a = work("a")
                result(a)
            }
            flow.finish("a", 42)
            val failed = flow.start { work("bad") }
            flow.fail(flow.claim().getValue("bad"))

            cancel(canceled, "another reason") shouldBe first
            cancel(succeeded).status() shouldBe WorkflowRunStatus.SUCCEEDED
            cancel(succeeded).result()?.text() shouldBe "42"
            cancel(failed).status() shouldBe WorkflowRunStatus.COMPLETED_WITH_ERRORS
        }

        test("somebody else's run is not found, and repeatable read is refused") {
            val run = flow.start {
                organization(UUID.randomUUID())
                gate("g")
            }

            shouldRefuse(ErrorCode.RUN_NOT_FOUND) { cancel(UUID.randomUUID()) }
            listOf(Scope.global(), Scope.organization(UUID.randomUUID())).forEach { foreign ->
                shouldRefuse(ErrorCode.RUN_NOT_FOUND) { cancel(run, scope = foreign) }
            }
            flow.joined(Connection.TRANSACTION_REPEATABLE_READ) { ledger ->
                shouldRefuse(ErrorCode.CANCEL_ISOLATION) { ledger.workflows.cancel(everything, run) }
            }
            flow.steps(run).shouldContainExactly("g WAITING_FOR_EXTERNAL")
        }

        test("a running handler hears of it at its next renewal, and nothing it writes counts any more") {
            val run = flow.start { work("a") }
            val claimed = flow.claim().getValue("a")
            val heard = Heard()

            flow.client.signals.subscribe(heard).use {
                heard.await(Signal.Resumed)
                cancel(run)
                heard.await(Signal.CanceledJob(claimed.lease().jobId()))
            }

            flow.client.leases.renew(listOf(claimed.lease()), lease).map { it.answer() }
                .shouldContainExactly(Renewal.Answer.CANCELED)
            flow.succeed(claimed, "too late").result() shouldBe SettledJob.Result.LOST
            flow.step(run, "a", "status, output") shouldBe "CANCELED|"
            flow.ledger.rows("SELECT outcome FROM runledger.job_attempts WHERE job_id = '${claimed.lease().jobId()}'")
                .shouldContainExactly("CANCELED")
        }

        test("while it waits for a job it holds no step") {
            val run = flow.start { work("a") }
            val job = flow.jobOf(run, "a")

            flow.ledger.database.connect().use { holder ->
                holder.autoCommit = false
                holder.createStatement().use { it.execute("SELECT FROM runledger.job_queue WHERE id = '$job' FOR UPDATE") }
                racing(2) { party ->
                    if (party == 0) {
                        cancel(run)
                    } else {
                        flow.ledger.awaitLockWait()
                        flow.ledger.rows("SELECT id FROM runledger.workflow_step_rows WHERE job_id = '$job' FOR UPDATE NOWAIT")
                        holder.rollback()
                    }
                }
            }

            flow.status(run) shouldBe "CANCELED"
        }

        test("jobs that are released while it waits for the run are canceled too") {
            val run = flow.start {
                val a = work("a")
                work("b", a)
            }
            val claimed = flow.claim().getValue("a")

            flow.ledger.database.connect().use { settler ->
                settler.autoCommit = false
                flow.client.within(settler).leases.settle(mapOf(claimed.lease() to Verdict.Succeed(null)))
                racing(2) { party ->
                    if (party == 0) {
                        cancel(run)
                    } else {
                        flow.ledger.awaitLockWait()
                        settler.commit()
                    }
                }
            }

            flow.steps(run).shouldContainExactly("a SUCCEEDED", "b CANCELED")
            flow.ledger.value("SELECT status FROM runledger.job_queue WHERE id = '${flow.jobOf(run, "b")}'") shouldBe "CANCELED"
            flow.status(run) shouldBe "CANCELED"
        }
    })
