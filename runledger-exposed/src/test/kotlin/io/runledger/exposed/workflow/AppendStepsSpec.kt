package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.ledger.Disposition
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.GateStep
import io.runledger.model.workflow.StepsBuilder
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRunStatus
import java.util.UUID

class AppendStepsSpec :
    FunSpec({
        val flow = flow()
        val everything = Scope.everything()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun StepsBuilder.paid(amount: String) = work("pay") { payload(Json.of("""{"amounts": [$amount, {"zero": 0}]}""")) }

        test("new steps begin at once, wait, or are born unsatisfied, and are answered in the order given") {
            val run = flow.start {
                work("good")
                work("bad")
                work("slow")
                gate("window")
            }
            val claimed = flow.claim()
            flow.succeed(claimed.getValue("good"))
            flow.fail(claimed.getValue("bad"))

            val appended = flow.append(run, "more", "window") {
                gate("ready")
                work("after-good", Upstream.named("good"))
                work("pending", Upstream.named("slow"), Upstream.named("good"))
                work("unsatisfied", Upstream.named("bad"))
                work("follows", Upstream.named("unsatisfied"))
                work("rescue", Upstream.named("bad").onFailure())
                work("fan-in", Upstream.named("unsatisfied").onTerminal(), Upstream.named("after-good"))
            }

            appended.disposition() shouldBe Disposition.INSERTED
            appended.runStatus() shouldBe WorkflowRunStatus.RUNNING
            appended.steps().map { "${it.stepKey()} ${it.status()} ${it.pendingDependencies()}/${it.dependencies()}" }
                .shouldContainExactly(
                    "ready WAITING_FOR_EXTERNAL 0/0",
                    "after-good ENQUEUED 0/1",
                    "pending BLOCKED 1/2",
                    "unsatisfied CANCELED 0/1",
                    "follows CANCELED 0/1",
                    "rescue ENQUEUED 0/1",
                    "fan-in BLOCKED 1/2",
                )
            flow.step(run, "unsatisfied", "status_reason, dependency_count_unsatisfied") shouldBe
                "${ErrorCode.DEPENDENCY_UNSATISFIED.wire()}|1"
            flow.ledger.value(
                "SELECT count(*) FROM runledger.workflow_step_dependencies WHERE workflow_run_id = '$run'",
            ) shouldBe "8"
        }

        test("the run goes on from a window alone to running, and ends with its last appended step") {
            val run = flow.start { gate("window") }

            flow.append(run, "more", "window") { work("a") }.runStatus() shouldBe WorkflowRunStatus.RUNNING
            flow.complete(run, "window")
            flow.status(run) shouldBe "RUNNING"
            flow.finish("a")

            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("the same request under the same key gives the same steps, also after the run has ended") {
            val run = flow.start { gate("window") }
            fun append(amount: String) = flow.append(run, "pay", "window") { paid(amount) }
            val first = append("10, -0.0, 2.5e2")

            append("1e1, 0, 250").steps() shouldBe first.steps()
            flow.finish("pay")
            flow.complete(run, "window")
            val last = append("10.0, 0.00, 250.0")

            last.disposition() shouldBe Disposition.EXISTING
            last.runStatus() shouldBe WorkflowRunStatus.SUCCEEDED
            last.steps().map { it.id() } shouldBe first.steps().map { it.id() }
            flow.steps(run).shouldContainExactly("window SUCCEEDED", "pay SUCCEEDED")
        }

        test("another request under the key is a conflict that tells the key to operators only; metadata is not compared") {
            val run = flow.start { gate("window") }
            fun request(amount: Int, metadata: String) = AppendRequest.builder(run, "secret-key", "window").apply {
                metadata(metadata)
                paid("$amount")
            }.build()
            flow.client.workflows.append(everything, request(1, "first"))

            val refusal =
                shouldRefuse(ErrorCode.APPEND_CONFLICT) { flow.client.workflows.append(everything, request(2, "first")) }

            ("secret-key" in refusal.message!!) shouldBe false
            ("secret-key" in refusal.internalMessage().orEmpty()) shouldBe true
            flow.client.workflows.append(everything, request(1, "second")).isNew shouldBe false
            flow.complete(run, "window")
        }

        test("order does not matter to a repetition, nor whether the run's organization is said or inherited") {
            val acme = UUID.randomUUID()
            val run = flow.start {
                organization(acme)
                gate("window")
            }
            val first = flow.append(run, "pair", "window") {
                work("a")
                work("b", Upstream.named("window"), Upstream.named("a"))
            }

            val again = flow.append(run, "pair", "window") {
                work("b", Upstream.named("a"), Upstream.named("window")) { organization(acme) }
                work("a")
            }

            again.disposition() shouldBe Disposition.EXISTING
            again.steps().map { it.id() } shouldBe first.steps().map { it.id() }.reversed()
        }

        test("270 steps in reverse order come back in the order given, and so do they again") {
            val run = flow.start { gate("window") }
            fun append() = flow.append(run, "many", "window") {
                (270 downTo 1).forEach { n ->
                    add(
                        GateStep.builder("s$n").apply {
                            if (n > 1) after(Upstream.named("s${n - 1}"))
                            if (n > 2) after(Upstream.named("s1").onTerminal())
                        }.build(),
                    )
                }
            }

            val first = append()

            first.steps().map { it.stepKey() } shouldBe (270 downTo 1).map { "s$it" }
            append().steps() shouldBe first.steps()
            (1..270).forEach { flow.complete(run, "s$it") }
            flow.complete(run, "window")
            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("of equal appends at the same moment one is new; a window that closes meanwhile refuses or comes after") {
            repeat(50) {
                val run = flow.start { gate("window") }

                val answers = racing(4) { party ->
                    if (party == 3) {
                        flow.client.workflows.completeGate(everything, GateCompletion.succeeded(run, "window")).let { null }
                    } else {
                        try {
                            flow.append(run, "same", "window") { work("a") }.disposition()
                        } catch (refused: RunledgerException) {
                            (refused.code() in setOf(ErrorCode.APPEND_WINDOW_NOT_OPEN, ErrorCode.APPEND_TERMINAL_RUN)) shouldBe
                                true
                            null
                        }
                    }
                }.filterNotNull()

                if (answers.isEmpty()) {
                    flow.steps(run).shouldContainExactly("window SUCCEEDED")
                } else {
                    answers.count { it == Disposition.INSERTED } shouldBe 1
                    flow.finish("a")
                }
                flow.status(run) shouldBe "SUCCEEDED"
            }
        }
    })
