package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.exposed.racing
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.lease.SettledJob
import io.runledger.model.lease.Verdict
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus.CANCELED
import io.runledger.model.workflow.WorkflowStepStatus.SUCCEEDED
import java.time.Duration
import java.util.UUID

/** A cancellation and other changes of the run at the same moment, hundreds of times. */
class CancelRacesSpec :
    FunSpec({
        val flow = flow()

        fun cancel(run: UUID) = flow.client.workflows.cancel(Scope.everything(), run, "stop")

        fun race(run: UUID, other: () -> Unit): WorkflowRunStatus {
            racing(2) { party -> if (party == 0) cancel(run) else other() }
            return flow.client.workflows.get(Scope.everything(), run).status()
        }

        afterTest {
            flow.ledger.rows("SELECT id FROM runledger.workflow_runs WHERE finished_at IS NULL").shouldBeEmpty()
            flow.ledger.rows("SELECT id FROM runledger.job_queue WHERE status IN ('PENDING', 'LEASED')").shouldBeEmpty()
            flow.contradictions().shouldBeEmpty()
            flow.deadlocks() shouldBe "0"
        }

        test("against a settlement: it is in time, or it is lost") {
            repeat(60) {
                val run = flow.start {
                    val a = work("a")
                    work("b", a)
                }
                val claimed = flow.claim().getValue("a")
                var settled: SettledJob.Result? = null

                race(run) { settled = flow.settleSurely(claimed) } shouldBe WorkflowRunStatus.CANCELED

                flow.standing(run, "a") shouldBe if (settled == SettledJob.Result.LOST) CANCELED else SUCCEEDED
            }
        }

        test("against a settlement that ends the run: the run keeps the end that came first") {
            repeat(60) {
                val run = flow.start { work("a") }
                val claimed = flow.claim().getValue("a")
                var settled: SettledJob.Result? = null

                val end = race(run) { settled = flow.settleSurely(claimed) }

                end.name shouldBe if (settled == SettledJob.Result.SUCCEEDED) "SUCCEEDED" else "CANCELED"
            }
        }

        test("against a continuation: the job goes on in no further run") {
            repeat(60) {
                val run = flow.start { work("a") { mayContinue() } }
                val claimed = flow.claim().getValue("a")

                race(run) { flow.settleSurely(claimed, Verdict.Continue(null, null, Duration.ZERO)) }

                flow.standing(run, "a") shouldBe CANCELED
            }
        }

        test("against claims: nobody keeps a job of a canceled run") {
            repeat(60) {
                val run = flow.start { repeat(4) { work("w$it") } }

                race(run) { flow.claim(3) } shouldBe WorkflowRunStatus.CANCELED

                flow.claim().keys.shouldBeEmpty()
            }
        }

        test("against an append: the steps are there and canceled, or were refused") {
            repeat(60) {
                val run = flow.start { gate("window") }
                var isAppended = true

                race(run) {
                    try {
                        flow.append(run, "more", "window") {
                            val a = work("a")
                            work("b", a)
                        }
                    } catch (refused: RunledgerException) {
                        refused.code() shouldBe ErrorCode.APPEND_TERMINAL_RUN
                        isAppended = false
                    }
                }

                flow.client.workflows.allSteps(Scope.everything(), run).map { it.status() } shouldBe
                    List(if (isAppended) 3 else 1) { CANCELED }
            }
        }

        test("against giving back: the job is canceled either way") {
            repeat(60) {
                val run = flow.start { work("a") }
                val claimed = flow.claim().getValue("a")

                race(run) { flow.releaseSurely(listOf(claimed)) }

                flow.standing(run, "a") shouldBe CANCELED
            }
        }
    })
