package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.Upstream
import java.sql.Connection
import java.util.UUID

/** A refused append does not change the run. */
class AppendRefusalsSpec :
    FunSpec({
        val flow = flow()
        val run = flow.start {
            val a = work("a")
            gate("window")
            gate("later", a)
        }
        val before = flow.steps(run)

        afterTest {
            flow.steps(run) shouldBe before
            flow.contradictions().shouldBeEmpty()
        }

        fun appendTo(window: String) = flow.append(run, "key", window) { work("new") }

        test("a key must be visible") {
            shouldRefuse(ErrorCode.APPEND_KEY_BLANK) { flow.append(run, " ", "window") { work("new") } }
        }

        test("the window must be there, be a gate and be open") {
            shouldRefuse(ErrorCode.APPEND_WINDOW_MISSING) { appendTo("nothing") }
            shouldRefuse(ErrorCode.APPEND_WINDOW_NOT_EXTERNAL) { appendTo("a") }
            shouldRefuse(ErrorCode.APPEND_WINDOW_NOT_OPEN) { appendTo("later") }
        }

        test("a window that was completed is closed, and a run that ended takes nothing") {
            val other = flow.start {
                gate("first")
                gate("second")
            }
            flow.complete(other, "first")

            shouldRefuse(ErrorCode.APPEND_WINDOW_NOT_OPEN) { flow.append(other, "key", "first") { work("new") } }
            flow.complete(other, "second")
            shouldRefuse(ErrorCode.APPEND_TERMINAL_RUN) { flow.append(other, "key", "second") { work("new") } }
        }

        test("an unknown run and somebody else's are not found") {
            shouldRefuse(ErrorCode.RUN_NOT_FOUND) { flow.append(UUID.randomUUID(), "key", "window") { work("new") } }
            shouldRefuse(ErrorCode.RUN_NOT_FOUND) {
                val request = AppendRequest.builder(run, "key", "window").apply { work("new") }.build()
                flow.client.workflows.append(Scope.organization(UUID.randomUUID()), request)
            }
        }

        test("keys must be new and prerequisites there, and a mistyped one is told which was probably meant") {
            shouldRefuse(ErrorCode.DAG_DUPLICATE_STEP) { flow.append(run, "key", "window") { work("a") } }
            val refusal = shouldRefuse(ErrorCode.DAG_MISSING_DEPENDENCY) {
                flow.append(run, "key", "window") { work("new", Upstream.named("latr")) }
            }
            refusal.message!! shouldContain "later"
        }

        test("a job type that is not defined is found before anything is written") {
            val refusal = shouldRefuse(ErrorCode.WORKFLOW_DEFINITION_UNAVAILABLE) {
                flow.append(run, "key", "window") {
                    work("fine")
                    job("nobody-does-this")
                }
            }

            refusal.message!! shouldContain "nobody-does-this"
        }

        test("repeatable read is refused") {
            flow.joined(Connection.TRANSACTION_REPEATABLE_READ) { ledger ->
                shouldRefuse(ErrorCode.APPEND_ISOLATION) {
                    val request = AppendRequest.builder(run, "key", "window").apply { work("new") }.build()
                    ledger.workflows.append(Scope.everything(), request)
                }
            }
        }

        test("a refused append in a caller's transaction leaves the transaction usable") {
            flow.joined(Connection.TRANSACTION_READ_COMMITTED) { ledger ->
                shouldRefuse(ErrorCode.APPEND_WINDOW_NOT_OPEN) {
                    val request = AppendRequest.builder(run, "key", "later").apply { work("new") }.build()
                    ledger.workflows.append(Scope.everything(), request)
                }
                val request = AppendRequest.builder(run, "key", "window").apply { work("new") }.build()
                ledger.workflows.append(Scope.everything(), request).isNew shouldBe true
            }
        }
    })
