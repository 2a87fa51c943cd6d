package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.upkeep
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.ledger.Scope
import io.runledger.model.run.ExpiredGate
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.WorkflowStepStatus
import java.sql.Connection
import java.time.Duration

/** Gates that are not completed in time. */
class GateDeadlinesSpec :
    FunSpec({
        val flow = flow()
        val day = Duration.ofDays(1)

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun expire(limit: Int = 100) = flow.client.upkeep.expireGates(limit)

        test("a gate ends at its deadline as it declared, and what waits for that goes on") {
            val run = flow.start {
                val failing = gate("failing") { expiresAfter(day) }
                val canceling = gate("canceling") { expiresAfter(day, GateExpiry.CANCELED) }
                gate("patient")
                work("ok", failing)
                work("late", failing.onFailure(), canceling.onTerminal())
            }
            expire().shouldBeEmpty()
            flow.passDeadline(run, "failing")
            flow.passDeadline(run, "canceling")

            expire().shouldContainExactlyInAnyOrder(
                ExpiredGate(run, "failing", WorkflowStepStatus.FAILED),
                ExpiredGate(run, "canceling", WorkflowStepStatus.CANCELED),
            )

            flow.steps(run).shouldContainExactly(
                "failing FAILED",
                "canceling CANCELED",
                "patient WAITING_FOR_EXTERNAL",
                "ok CANCELED",
                "late ENQUEUED",
            )
            val code = ErrorCode.GATE_EXPIRED
            flow.step(run, "failing", "status_reason, last_error_code, last_error_message") shouldBe
                "${code.wire()}|${code.wire()}|${code.message()}"
            shouldRefuse(ErrorCode.GATE_CONFLICTING_COMPLETION) { flow.complete(run, "failing") }
            expire().shouldBeEmpty()
            flow.finish("late")
            flow.complete(run, "patient")
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("the time runs from the opening, not from the start of the run") {
            val run = flow.start {
                val a = work("a")
                gate("g", a) { expiresAfter(day) }
            }
            flow.step(run, "g", "expires_at") shouldBe ""

            flow.finish("a")

            flow.step(run, "g", "expires_at = released_at + interval '1 day'") shouldBe "t"
            flow.client.workflows.getStep(Scope.everything(), run, "g").gate()?.expiresAt().shouldNotBeNull()
            flow.complete(run, "g")
        }

        test("no more gates than asked for end at once, the longest overdue first") {
            val run = flow.start { (1..5).forEach { gate("g$it") { expiresAfter(day) } } }
            (1..5).forEach { flow.passDeadline(run, "g$it") }
            flow.ledger.run(
                "UPDATE runledger.workflow_step_rows SET expires_at = expires_at - interval '1 hour' WHERE step_key = 'g4'",
            )

            expire(1).map { it.stepKey() }.shouldContainExactly("g4")
            expire(3).size shouldBe 3
            expire(3).size shouldBe 1

            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("a run that somebody holds is left for the next time") {
            val run = flow.start { gate("g") { expiresAfter(day) } }
            flow.passDeadline(run, "g")

            flow.holding(run) { expire() }.shouldBeEmpty()

            expire().map { it.runId() }.shouldContainExactly(run)
        }

        test("an unreasonable limit and repeatable read are refused") {
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) { expire(0) }
            flow.joined(Connection.TRANSACTION_REPEATABLE_READ) { ledger ->
                shouldRefuse(ErrorCode.GATE_ISOLATION) { ledger.upkeep.expireGates(1) }
            }
        }

        test("of a completion and an expiry at the same moment exactly one happens, whoever else expires") {
            repeat(50) {
                val run = flow.start {
                    val g = gate("g") { expiresAfter(day) }
                    work("next", g.onTerminal())
                }
                flow.passDeadline(run, "g")

                val (completed, first, second) = racing(3) { party ->
                    if (party > 0) {
                        expire().count { it.runId() == run }
                    } else {
                        try {
                            flow.complete(run, "g").let { 1 }
                        } catch (refused: RunledgerException) {
                            refused.code() shouldBe ErrorCode.GATE_CONFLICTING_COMPLETION
                            0
                        }
                    }
                }

                completed + first + second shouldBe 1
                flow.step(run, "g", "status") shouldBe if (completed == 1) "SUCCEEDED" else "FAILED"
                flow.finish("next")
            }
        }
    })
