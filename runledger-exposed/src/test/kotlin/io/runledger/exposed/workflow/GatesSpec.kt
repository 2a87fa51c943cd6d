package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.exposed.awaitLockWait
import io.runledger.exposed.racing
import io.runledger.exposed.shouldRefuse
import io.runledger.exposed.signal.Heard
import io.runledger.exposed.signal.Signal
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.workflow.WorkflowStepStatus
import java.sql.Connection
import java.util.UUID

class GatesSpec :
    FunSpec({
        val flow = flow()
        val everything = Scope.everything()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun complete(completion: GateCompletion, scope: Scope = everything) =
            flow.client.workflows.completeGate(scope, completion)

        test("a gate ends as SUCCEEDED, FAILED or CANCELED, and its dependents follow") {
            val endings = listOf<Pair<(UUID) -> GateCompletion, List<String>>>(
                { run: UUID -> GateCompletion.succeeded(run, "g") } to listOf("ok ENQUEUED", "bad CANCELED", "any ENQUEUED"),
                { run: UUID -> GateCompletion.failed(run, "g", "no", "No.") } to
                    listOf("ok CANCELED", "bad ENQUEUED", "any ENQUEUED"),
                { run: UUID -> GateCompletion.canceled(run, "g", "void") } to
                    listOf("ok CANCELED", "bad ENQUEUED", "any ENQUEUED"),
            )
            endings.forEach { (ending, dependents) ->
                val run = flow.start {
                    val g = gate("g")
                    work("ok", g)
                    work("bad", g.onFailure())
                    work("any", g.onTerminal())
                }
                val completion = ending(run)

                val gate = complete(completion)

                gate.status() shouldBe completion.status()
                flow.steps(run).drop(1) shouldBe dependents
                flow.step(run, "g", "status_reason, last_error_code, last_error_message") shouldBe
                    listOf(completion.reason(), completion.errorCode(), completion.errorMessage()).joinToString("|") { it ?: "" }
            }
        }

        test("only an end completes a gate, and only success has an output") {
            WorkflowStepStatus.entries.filterNot { it.isTerminal }.forEach { status ->
                shouldRefuse(ErrorCode.GATE_INVALID_STATUS) {
                    GateCompletion(UUID.randomUUID(), "g", status, null, null, null, null)
                }
            }
            shouldRefuse(ErrorCode.INVALID_ARGUMENT) {
                GateCompletion(UUID.randomUUID(), "g", WorkflowStepStatus.FAILED, Payload.of(1), null, null, null)
            }
        }

        test("an unknown gate, somebody else's, a job and a gate that is not open are refused, each with its code") {
            val acme = UUID.randomUUID()
            val run = flow.start {
                organization(acme)
                val a = work("a")
                gate("later", a)
                gate("g")
            }

            shouldRefuse(ErrorCode.GATE_NOT_FOUND) { complete(GateCompletion.succeeded(run, "nobody")) }
            shouldRefuse(ErrorCode.GATE_NOT_FOUND) { complete(GateCompletion.succeeded(UUID.randomUUID(), "g")) }
            listOf(Scope.global(), Scope.organization(UUID.randomUUID())).forEach { foreign ->
                shouldRefuse(ErrorCode.GATE_NOT_FOUND) { complete(GateCompletion.succeeded(run, "g"), foreign) }
            }
            shouldRefuse(ErrorCode.GATE_NOT_EXTERNAL) { complete(GateCompletion.succeeded(run, "a")) }
            shouldRefuse(ErrorCode.GATE_NOT_WAITING) { complete(GateCompletion.succeeded(run, "later")) }
            flow.steps(run).shouldContainExactly("a ENQUEUED", "later BLOCKED", "g WAITING_FOR_EXTERNAL")
            complete(GateCompletion.succeeded(run, "g"), Scope.organization(acme)).status() shouldBe WorkflowStepStatus.SUCCEEDED
        }

        test("the same completion twice is one, with numbers equal by value; another output or other words are refused") {
            val run = flow.start {
                val g = gate("g")
                result(g)
            }
            fun succeed(output: String) = complete(GateCompletion.succeeded(run, "g", Json.of(output)).because("signed"))
            val first = succeed("""{"n": 1, "m": 2}""")

            succeed("""{"m": 2.0, "n": 1e0}""") shouldBe first

            shouldRefuse(ErrorCode.GATE_CONFLICTING_OUTPUT) { succeed("""{"n": 2}""") }
            shouldRefuse(ErrorCode.GATE_CONFLICTING_OUTPUT) { complete(GateCompletion.succeeded(run, "g").because("signed")) }
            shouldRefuse(ErrorCode.GATE_CONFLICTING_COMPLETION) {
                complete(GateCompletion.succeeded(run, "g", Json.of("""{"n": 1, "m": 2}""")).because("stamped"))
            }
            shouldRefuse(ErrorCode.GATE_CONFLICTING_COMPLETION) { complete(GateCompletion.failed(run, "g", "no", "No.")) }
            flow.client.workflows.get(everything, run).result() shouldBe first.output()
        }

        test("a failure or a cancellation is repeated in the same words only") {
            val run = flow.start {
                gate("failed")
                gate("canceled")
            }
            val failed = complete(GateCompletion.failed(run, "failed", "no", "No."))
            val canceled = complete(GateCompletion.canceled(run, "canceled", "void"))

            complete(GateCompletion.failed(run, "failed", "no", "No.")) shouldBe failed
            complete(GateCompletion.canceled(run, "canceled", "void")) shouldBe canceled
            listOf(
                GateCompletion.failed(run, "failed", "never", "No."),
                GateCompletion.failed(run, "failed", "no", "Never."),
                GateCompletion.failed(run, "failed", "no", "No.").because("angry"),
                GateCompletion.canceled(run, "canceled", "changed my mind"),
                GateCompletion.succeeded(run, "canceled"),
            ).forEach { shouldRefuse(ErrorCode.GATE_CONFLICTING_COMPLETION) { complete(it) } }
        }

        test("a gate cannot be completed in repeatable read") {
            val run = flow.start { gate("g") }

            flow.joined(Connection.TRANSACTION_REPEATABLE_READ) { ledger ->
                shouldRefuse(ErrorCode.GATE_ISOLATION) {
                    ledger.workflows.completeGate(everything, GateCompletion.succeeded(run, "g"))
                }
            }

            flow.steps(run).shouldContainExactly("g WAITING_FOR_EXTERNAL")
        }

        test("a completion that comes while the run is being canceled waits for it, and is told that the gate was canceled") {
            val run = flow.start {
                val g = gate("g")
                work("next", g.onTerminal())
            }

            val (refused, _) = flow.ledger.database.connect().use { canceler ->
                canceler.autoCommit = false
                flow.client.within(canceler).workflows.cancel(everything, run, "stop")
                racing(2) { party ->
                    if (party == 0) {
                        runCatching { complete(GateCompletion.succeeded(run, "g")) }.exceptionOrNull()
                    } else {
                        flow.ledger.awaitLockWait()
                        canceler.commit().let { null }
                    }
                }
            }

            (refused as RunledgerException).code() shouldBe ErrorCode.GATE_CONFLICTING_COMPLETION
            flow.steps(run).shouldContainExactly("g CANCELED", "next CANCELED")
        }

        test("of equal completions at the same moment all get the gate, of different ones one wins") {
            repeat(25) {
                val run = flow.start {
                    val g = gate("g")
                    work("next", g.onTerminal())
                }

                val answers = racing(4) { party ->
                    runCatching {
                        complete(
                            if (party % 2 == 0) {
                                GateCompletion.succeeded(run, "g")
                            } else {
                                GateCompletion.canceled(run, "g", "no")
                            },
                        )
                    }
                }

                val winners = answers.mapNotNull { it.getOrNull() }
                winners.size shouldBe 2
                winners.map { it.status() }.distinct().size shouldBe 1
                answers.mapNotNull { it.exceptionOrNull() }.map { (it as RunledgerException).code() }.distinct()
                    .shouldContainExactly(ErrorCode.GATE_CONFLICTING_COMPLETION)
                flow.steps(run).last() shouldBe "next ENQUEUED"
                flow.finish("next")
            }
        }

        test("an opening is told to whoever listens, and listed until the gate ends") {
            val heard = Heard()
            flow.client.signals.subscribe(heard).use {
                heard.await(Signal.Resumed)
                val run = flow.start {
                    val a = work("a")
                    gate("later", a)
                }
                flow.finish("a")

                heard.await(Signal.OpenedGate(run))

                fun open() = flow.client.workflows.openGates(everything, 100).items().filter {
                    it.runId() == run
                }.map { it.stepKey() }
                open().shouldContainExactly("later")
                complete(GateCompletion.succeeded(run, "later"))
                heard.await(Signal.EndedRun(run))
                open().shouldBeEmpty()
            }
        }

        test("what an appended gate opens with is told too") {
            val heard = Heard()
            flow.client.signals.subscribe(heard).use {
                heard.await(Signal.Resumed)
                val run = flow.start {
                    work("busy")
                    gate("window")
                }
                heard.await(Signal.OpenedGate(run))

                flow.append(run, "more", "window") { gate("extra") }

                heard.await(Signal.OpenedGate(run))
            }
        }
    })
