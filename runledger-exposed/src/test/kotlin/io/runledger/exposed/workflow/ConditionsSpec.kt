package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.runledger.exposed.shouldRefuse
import io.runledger.model.condition.Condition
import io.runledger.model.error.ErrorCode
import io.runledger.model.history.StepEventType
import io.runledger.model.json.Json
import io.runledger.model.ledger.Scope
import io.runledger.model.render.WorkflowGraph
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.RecoveryRequest
import io.runledger.model.run.RetryFailedRequest
import io.runledger.model.workflow.Upstream
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import java.util.UUID

class ConditionsSpec :
    FunSpec({
        val flow = flow()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun retry(run: UUID) =
            flow.client.workflows.retryFailed(Scope.everything(), RetryFailedRequest(run, "again", "mended")).stepKeys()

        /** A step that runs only if the score is above 70, and one that waits for it. */
        fun scored(): WorkflowRequest = workflow {
            val score = work("score")
            val review = work("review", score) { onlyIf(score.output("risk").greaterThan(70)) }
            work("letter", review)
        }

        test("a step runs if its condition is true, and is skipped if it is false; no run fails by that") {
            val risky = flow.start(scored())
            flow.finish("score", Json.of("""{"risk":71}"""))
            flow.steps(risky).shouldContainExactly("score SUCCEEDED", "review ENQUEUED", "letter BLOCKED")
            flow.cancelEverything()

            val safe = flow.start(scored())
            flow.finish("score", Json.of("""{"risk":70}"""))

            flow.steps(safe).shouldContainExactly("score SUCCEEDED", "review SKIPPED", "letter SKIPPED")
            flow.status(safe) shouldBe "SUCCEEDED"
            flow.claim().keys.shouldBeEmpty()
            flow.step(safe, "review", "status_reason || '|' || (job_id IS NULL) || '|' || (last_error_code IS NULL)") shouldBe
                "CONDITION_FALSE|true|true"
            flow.step(safe, "letter", "status_reason") shouldBe "PREREQUISITE_SKIPPED"
        }

        test("the journal, the steps and the picture tell of it") {
            val run = flow.start(scored())
            flow.finish("score", Json.of("""{"risk":1}"""))

            val story = flow.client.workflows.story(Scope.everything(), run)

            val skipped = story.events().filter { it.type() == StepEventType.SKIPPED }
            skipped.map { "${it.stepKey()} ${it.payload()}" }.shouldContainExactly(
                """review {"reason": "CONDITION_FALSE"}""",
                """letter {"reason": "PREREQUISITE_SKIPPED"}""",
            )
            story.steps()[1].condition() shouldBe Upstream.named("score").output("risk").greaterThan(70)
            val graph = WorkflowGraph.of(story)
            graph.tree() shouldContain "» review [work, \"if score.output.risk > 70\", skipped]"
            graph.mermaid() shouldContain "classDef skipped"
            graph.dot() shouldContain "if score.output.risk > 70"
        }

        test("what waits for a skipped step: success and failure are skipped in turn, the end is enough for the rest") {
            val run = flow.start {
                val a = work("a") { onlyIf(Condition.context("wanted").exists()) }
                work("ok", a)
                work("rescue", a.onFailure())
                work("any", a.onTerminal())
                work("cleanup", a.onTerminal()) { onlyIf(Condition.noneOf(a.skipped())) }
                gate("sign", a)
            }

            flow.steps(run).shouldContainExactly(
                "a SKIPPED",
                "ok SKIPPED",
                "rescue SKIPPED",
                "any ENQUEUED",
                "cleanup SKIPPED",
                "sign SKIPPED",
            )
            flow.finish("any")
            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("a failure weighs more than a skipped step: what waits for the success of both is canceled") {
            val run = flow.start {
                val skipped = work("skipped") { onlyIf(Condition.context("wanted").exists()) }
                val broken = work("broken")
                work("both", skipped, broken)
            }

            flow.fail(flow.claim().getValue("broken"))

            flow.steps(run).last() shouldBe "both CANCELED"
            flow.status(run) shouldBe "COMPLETED_WITH_ERRORS"
        }

        test("a cleanup step runs after a failure and only then") {
            fun paid() = flow.start {
                val pay = work("pay")
                val ship = work("ship", pay)
                work("refund", pay.onTerminal(), ship.onTerminal()) {
                    onlyIf(Condition.allOf(pay.succeeded(), Condition.noneOf(ship.succeeded())))
                }
            }
            val fine = paid()
            flow.finish("pay")
            flow.finish("ship")
            val unpaid = paid()
            flow.fail(flow.claim().getValue("pay"))
            val broken = paid()
            flow.finish("pay")
            flow.fail(flow.claim().getValue("ship"))

            listOf(fine, unpaid, broken).map { flow.steps(it).last() } shouldContainExactly
                listOf("refund SKIPPED", "refund SKIPPED", "refund ENQUEUED")
            flow.finish("refund")
            listOf(fine, unpaid, broken).map { flow.status(it) } shouldContainExactly
                listOf("SUCCEEDED", "COMPLETED_WITH_ERRORS", "COMPLETED_WITH_ERRORS")
        }

        test("a run that has nothing to do has succeeded as soon as it is there") {
            val started = flow.client.workflows.enqueue(
                workflow {
                    context(mapOf("country" to "DE"))
                    val a = work("a") { onlyIf(Condition.context("country").equalTo("FR")) }
                    work("b", a)
                },
            )

            started.status() shouldBe WorkflowRunStatus.SUCCEEDED
            flow.steps(started.runId()).shouldContainExactly("a SKIPPED", "b SKIPPED")
        }

        test("a run that has nothing to do takes no active key, and a first step after a skipped one begins at once") {
            fun keyed(wanted: Boolean) = workflow {
                activeKey("one at a time")
                context(mapOf("wanted" to wanted))
                val a = work("a") { onlyIf(Condition.context("wanted").equalTo(true)) }
                val b = work("b", a)
                val c = gate("c", b.onTerminal()) { onlyIf(Condition.context("wanted").equalTo(true)) }
                work("d", a.onFailure(), c.onTerminal())
            }
            val workflows = flow.client.workflows
            val live = workflows.enqueueUnlessActive(keyed(true))

            val idle = workflows.enqueueUnlessActive(keyed(false))

            idle.status() shouldBe WorkflowRunStatus.SUCCEEDED
            flow.steps(idle.runId()).shouldContainExactly("a SKIPPED", "b SKIPPED", "c SKIPPED", "d SKIPPED")
            flow.step(idle.runId(), "d", "status_reason || '|' || dependency_count_unsatisfied") shouldBe "PREREQUISITE_SKIPPED|1"
            workflows.enqueueUnlessActive(keyed(true)).runId() shouldBe live.runId()
            workflows.await(Scope.everything(), idle.runId()).get().finishedAt() shouldNotBe null
        }

        test("a gate opens only if its condition is true, and its output can be looked at") {
            val run = flow.start {
                val a = gate("a")
                val b = gate("b", a) { onlyIf(a.output("second", "needed").equalTo(true)) }
                work("c", b.onTerminal()) { onlyIf(b.output("by").contains("dan")) }
            }
            flow.client.workflows.completeGate(
                Scope.everything(),
                GateCompletion.succeeded(run, "a", Json.of("""{"second":{"needed":true}}""")),
            )
            flow.steps(run)[1] shouldBe "b WAITING_FOR_EXTERNAL"
            flow.client.workflows.completeGate(
                Scope.everything(),
                GateCompletion.succeeded(run, "b", Json.of("""{"by":"dana"}""")),
            )

            flow.steps(run).last() shouldBe "c ENQUEUED"
        }

        test("appended steps are judged at once when all they wait for has ended") {
            val run = flow.start {
                gate("window")
                val a = work("a") { onlyIf(Condition.context("wanted").exists()) }
                work("b", a.onTerminal())
            }
            flow.finish("b", Json.of("""{"n":3}"""))
            val a = Upstream.named("a")
            val b = Upstream.named("b")

            flow.append(run, "more", "window") {
                work("follows", a)
                work("yes", b) { onlyIf(b.output("n").atLeast(3)) }
                val no = work("no", b) { onlyIf(b.output("n").atMost(2)) }
                work("after-no", no.onTerminal()) { onlyIf(no.skipped()) }
                work("rescue", b.onFailure())
            }

            flow.steps(run).drop(3).shouldContainExactly(
                "follows SKIPPED",
                "yes ENQUEUED",
                "no SKIPPED",
                "after-no ENQUEUED",
                "rescue CANCELED",
            )
            flow.claim().values.forEach { flow.succeed(it) }
            flow.complete(run, "window")
            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("a retry judges again what was skipped after a failed step, and nothing else") {
            val run = flow.start {
                val a = work("a")
                val b = work("b", a.onTerminal()) { onlyIf(a.succeeded()) }
                work("c", b)
                work("alarm", a.onTerminal()) { onlyIf(a.failed()) }
                val other = work("other") { onlyIf(Condition.context("wanted").exists()) }
                work("follows", other)
            }
            flow.fail(flow.claim().getValue("a"))
            flow.finish("alarm")
            flow.steps(run).map { it.substringAfter(' ') }.shouldContainExactly(
                "FAILED",
                "SKIPPED",
                "SKIPPED",
                "SUCCEEDED",
                "SKIPPED",
                "SKIPPED",
            )

            retry(run).shouldContainExactly("a", "b", "c")
            flow.finish("a")
            flow.finish("b")
            flow.finish("c")

            flow.steps(run).map { it.substringAfter(' ') }.shouldContainExactly(
                "SUCCEEDED",
                "SUCCEEDED",
                "SUCCEEDED",
                "SUCCEEDED",
                "SKIPPED",
                "SKIPPED",
            )
            flow.status(run) shouldBe "SUCCEEDED"
        }

        test("canceling a run leaves skipped steps as they are") {
            val run = flow.start {
                val a = work("a") { onlyIf(Condition.context("wanted").exists()) }
                val b = work("b", a.onTerminal())
                work("c", b) { onlyIf(b.output("n").exists()) }
            }

            flow.client.workflows.cancel(Scope.everything(), run, "stop")

            flow.steps(run).shouldContainExactly("a SKIPPED", "b CANCELED", "c CANCELED")
        }

        test("a recovery judges the same conditions anew, unless somebody changed them by hand") {
            val run = flow.start(scored())
            flow.finish("score", Json.of("""{"risk":1.5}"""))
            fun recover(key: String) = flow.client.workflows.recover(Scope.everything(), RecoveryRequest(run, null, key, "anew"))

            val again = recover("first").runId()
            flow.finish("score", Json.of("""{"risk":99}"""))

            flow.steps(again).shouldContainExactly("score SUCCEEDED", "review ENQUEUED", "letter BLOCKED")
            flow.ledger.run("UPDATE runledger.workflow_step_rows SET condition = NULL WHERE workflow_run_id = '$run'")
            shouldRefuse(ErrorCode.RECOVERY_SNAPSHOT_UNSAFE) { recover("second") }
            // Restored, so that the ledger is consistent again.
            flow.ledger.run(
                "UPDATE runledger.workflow_step_rows s SET condition = o.condition FROM runledger.workflow_steps o " +
                    "WHERE s.workflow_run_id = '$run' AND o.workflow_run_id = '$again' AND o.step_key = s.step_key",
            )
        }

        test("the condition belongs to what an idempotency key compares") {
            fun asked(limit: Any) = workflow {
                idempotencyKey("scored")
                val score = work("score")
                work("review", score) { onlyIf(score.output("risk").greaterThan(limit)) }
            }
            val run = flow.start(asked(70))

            flow.start(asked(70.0)) shouldBe run
            shouldRefuse(ErrorCode.WORKFLOW_IDEMPOTENCY_CONFLICT) { flow.start(asked(71)) }
        }
    })
