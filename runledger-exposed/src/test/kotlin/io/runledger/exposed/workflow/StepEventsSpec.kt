package io.runledger.exposed.workflow

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.runledger.model.error.ErrorCode
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import io.runledger.model.run.GateCompletion
import io.runledger.model.run.RetryFailedRequest
import java.util.UUID

/** The events of a run, from its first step to its end. */
class StepEventsSpec :
    FunSpec({
        val flow = flow()
        val everything = Scope.everything()

        beforeTest { flow.cancelEverything() }

        afterTest { flow.contradictions().shouldBeEmpty() }

        fun story(run: UUID) = flow.ledger.rows(
            "SELECT step_key || ' ' || event_type FROM runledger.workflow_step_events WHERE workflow_run_id = '$run' ORDER BY id",
        )

        fun told(run: UUID, event: String, what: String) = flow.ledger.rows(
            "SELECT $what FROM runledger.workflow_step_events " +
                "WHERE workflow_run_id = '$run' AND event_type = '$event' ORDER BY id",
        )

        test("success: created, released, started, succeeded, each step after what it waited for") {
            val run = flow.start {
                val a = work("a")
                work("b", a)
            }
            flow.finish("a")
            flow.finish("b")

            story(run).shouldContainExactly(
                "a CREATED",
                "b CREATED",
                "a RELEASED",
                "a STARTED",
                "a SUCCEEDED",
                "b RELEASED",
                "b STARTED",
                "b SUCCEEDED",
            )
            told(run, "RELEASED", "payload->>'job_id'").shouldContainExactly(
                "${flow.jobOf(run, "a")}",
                "${flow.jobOf(run, "b")}",
            )
        }

        test("retries do not start a step again: it starts once and ends once") {
            val run = flow.start { work("a") { maxAttempts(3) } }
            repeat(2) { flow.settle(flow.claim().getValue("a"), again) }
            flow.finish("a")

            story(run).shouldContainExactly("a CREATED", "a RELEASED", "a STARTED", "a SUCCEEDED")
        }

        test("failure: what follows from it is canceled after it and says why") {
            val run = flow.start {
                val a = work("a")
                val b = work("b", a)
                work("c", b)
                work("rescue", a.onFailure())
            }
            flow.fail(flow.claim().getValue("a"))
            flow.finish("rescue")

            story(run).shouldContainExactly(
                "a CREATED", "b CREATED", "c CREATED", "rescue CREATED", "a RELEASED", "a STARTED", "a FAILED", "rescue RELEASED",
                "b CANCELED", "c CANCELED", "rescue STARTED", "rescue SUCCEEDED",
            )
            told(run, "FAILED", "payload->>'reason', payload->>'error_code'").shouldContainExactly("TERMINAL|test.broken")
            told(run, "CANCELED", "payload->>'error_code'").distinct()
                .shouldContainExactly(ErrorCode.DEPENDENCY_UNSATISFIED.wire())
        }

        test("a gate is opened and completed, never started") {
            val run = flow.start {
                val a = work("a")
                gate("g", a)
            }
            flow.finish("a")
            flow.client.workflows.completeGate(everything, GateCompletion.succeeded(run, "g").because("signed"))

            story(run).shouldContainExactly(
                "a CREATED",
                "g CREATED",
                "a RELEASED",
                "a STARTED",
                "a SUCCEEDED",
                "g OPENED",
                "g SUCCEEDED",
            )
            told(run, "SUCCEEDED", "payload->>'reason'").last() shouldBe "signed"
        }

        test("a cancellation ends what is open, with its reason") {
            val run = flow.start {
                val a = work("a")
                work("b", a)
                gate("g")
            }
            flow.claim()
            flow.client.workflows.cancel(everything, run, "stop")

            story(run).shouldContainExactly(
                "a CREATED", "b CREATED", "g CREATED", "a RELEASED", "g OPENED", "a STARTED", "a CANCELED", "b CANCELED",
                "g CANCELED",
            )
            told(run, "CANCELED", "payload->>'reason'").shouldContainExactly("stop", "stop", "stop")
        }

        test("a retry of what failed is told after the failure, and the failure stays told") {
            val run = flow.start {
                val a = work("a")
                work("b", a)
            }
            flow.fail(flow.claim().getValue("a"))
            val job = flow.jobOf(run, "a")
            flow.client.workflows.retryFailed(everything, RetryFailedRequest(run, "again", "mended"))
            flow.finish("a")
            flow.finish("b")

            story(run).shouldContainExactly(
                "a CREATED", "b CREATED", "a RELEASED", "a STARTED", "a FAILED", "b CANCELED", "a RESET", "b RESET", "a RELEASED",
                "a STARTED", "a SUCCEEDED", "b RELEASED", "b STARTED", "b SUCCEEDED",
            )
            told(run, "RESET", "payload->>'reason'").shouldContainExactly("mended", "mended")
            told(run, "RELEASED", "payload->>'job_id'").take(2).shouldContainExactly("$job", "${flow.jobOf(run, "a")}")
        }

        test("an edit and an append stand where they happened") {
            val run = flow.start { gate("window") }
            flow.client.workflows.editPayload(everything, run, "window", Payload.of(1), "typo")
            flow.append(run, "more", "window") { work("a") }
            flow.complete(run, "window")
            flow.finish("a")

            story(run).shouldContainExactly(
                "window CREATED",
                "window OPENED",
                "window EDITED",
                "a CREATED",
                "a RELEASED",
                "window SUCCEEDED",
                "a STARTED",
                "a SUCCEEDED",
            )
        }
    })
