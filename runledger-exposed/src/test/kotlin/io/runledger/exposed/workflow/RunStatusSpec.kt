package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.runledger.exposed.leases
import io.runledger.exposed.upkeep
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import java.time.Duration
import java.util.UUID

class RunStatusSpec :
    FunSpec({
        val flow = flow()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun row(run: UUID) = flow.ledger.value(
            "SELECT status, open_steps, active_steps, waiting_steps, error_steps, finished_at IS NOT NULL " +
                "FROM runledger.workflow_runs WHERE id = '$run'",
        )

        test("a run waits when a gate is open and no job is queued or running, although steps are blocked behind the gate") {
            val run = flow.start {
                val a = work("a")
                val g = gate("g", a)
                work("b", g)
            }
            row(run) shouldBe "RUNNING|3|1|0|0|f"

            flow.claim()
            row(run) shouldBe "RUNNING|3|1|0|0|f"
            flow.cancelEverything()

            val second = flow.start {
                val g = gate("g")
                work("b", g)
            }
            row(second) shouldBe "WAITING_FOR_EXTERNAL|2|0|1|0|f"
        }

        test("it changes between running and waiting as jobs end, gates open and end, and steps are appended") {
            val run = flow.start {
                val a = work("a")
                val g = gate("g", a)
                work("b", g)
            }

            flow.finish("a")
            row(run) shouldBe "WAITING_FOR_EXTERNAL|2|0|1|0|f"
            flow.append(run, "more", "g") { work("extra") }
            row(run) shouldBe "RUNNING|3|1|1|0|f"
            flow.finish("extra")
            row(run) shouldBe "WAITING_FOR_EXTERNAL|2|0|1|0|f"
            flow.complete(run, "g")
            row(run) shouldBe "RUNNING|1|1|0|0|f"
            flow.finish("b")
            row(run) shouldBe "SUCCEEDED|0|0|0|0|t"
        }

        test("a job that waits for its next attempt or its delay keeps the run running beside an open gate") {
            val run = flow.start {
                work("a") { maxAttempts(2) }
                gate("g")
            }

            flow.settle(flow.claim().getValue("a"), again)

            row(run) shouldBe "RUNNING|2|1|1|0|f"
        }

        test("one failed or canceled step makes it COMPLETED_WITH_ERRORS, even when everything else succeeded") {
            val endings = listOf<(UUID) -> GateCompletion>(
                { GateCompletion.failed(it, "g", "no", "No.") },
                { GateCompletion.canceled(it, "g", "void") },
            )
            endings.forEach { ending ->
                val run = flow.start {
                    val g = gate("g")
                    work("clean", g.onTerminal())
                }

                flow.client.workflows.completeGate(Scope.everything(), ending(run))
                row(run) shouldBe "RUNNING|1|1|0|1|f"
                flow.finish("clean")

                row(run) shouldBe "COMPLETED_WITH_ERRORS|0|0|0|1|t"
            }
        }

        test("a step that was not needed is no error: a rescue without a failure leaves the run SUCCEEDED") {
            val run = flow.start {
                val a = work("a")
                val rescue = work("rescue", a.onFailure())
                work("report", rescue)
            }

            flow.finish("a")

            row(run) shouldBe "SUCCEEDED|0|0|0|0|t"
            flow.steps(run).count { it.endsWith("CANCELED") } shouldBe 2
        }

        test("nothing revives a canceled run") {
            val run = flow.start {
                val a = work("a")
                gate("g")
                work("b", a.onTerminal())
            }
            val claimed = flow.claim().getValue("a")
            flow.client.workflows.cancel(Scope.everything(), run)
            val canceled = flow.client.workflows.get(Scope.everything(), run)

            flow.succeed(claimed)
            flow.expireLease(claimed.lease().jobId())
            flow.client.leases.reap(10, Duration.ofMillis(1))
            flow.client.upkeep.expireGates(10)
            runCatching { flow.complete(run, "g") }.isFailure shouldBe true
            runCatching { flow.append(run, "more", "g") { work("c") } }.isFailure shouldBe true

            flow.client.workflows.get(Scope.everything(), run) shouldBe canceled
        }
    })
