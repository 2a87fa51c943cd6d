package io.runledger.console.action

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.runledger.console.form.FilledForm
import io.runledger.console.form.fill
import io.runledger.console.form.form
import io.runledger.console.form.location
import io.runledger.console.form.send
import io.runledger.coroutines.handlers
import io.runledger.model.json.Json
import io.runledger.model.json.Payload
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import io.runledger.model.workflow.WorkflowRequest
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.model.workflow.WorkflowStepStatus
import java.util.UUID

private const val GATE = "approve / by hand"

class RunActionsSpec :
    FunSpec({
        fun bench() = ActionBench().also { autoClose(it) }

        fun ActionBench.started(organization: UUID? = null): UUID {
            val request = WorkflowRequest.builder("order")
            request.job("mail", ActionBench.mail, Json.of("{\"to\":\"ada\"}"))
            request.externalGate(GATE)
            organization?.let { request.organization(it) }
            return client.workflows.enqueue(request.build()).runId()
        }

        fun ActionBench.run(id: UUID) = client.workflows.get(Scope.everything(), id)

        fun ActionBench.gate(run: UUID) = client.workflows.getStep(Scope.everything(), run, GATE)

        val gateQuery = "step=approve%20%2F%20by%20hand"

        test("a run is paused, resumed and canceled, and each is recorded") {
            val bench = bench()
            val run = bench.started()
            val ada = bench.bench.viewer("ada")

            ada.fill("/runs/$run/pause", "reason" to "wait").statusCode() shouldBe 303
            bench.run(run).isPaused shouldBe true
            ada.get("/runs/$run/pause").body() shouldContain "The run is paused already."
            ada.fill("/runs/$run/resume", "reason" to "go on").statusCode() shouldBe 303
            bench.run(run).isPaused shouldBe false
            ada.get("/runs/$run/cancel").body() shouldContain "Cancels 1 run and its 2 open steps."
            ada.fill("/runs/$run/cancel", "reason" to "not needed").statusCode() shouldBe 303

            bench.run(run).status() shouldBe WorkflowRunStatus.CANCELED
            bench.audit().map { it.kind() to it.reason() } shouldBe listOf(
                OperatorActionKind.WORKFLOW_CANCEL to "not needed",
                OperatorActionKind.WORKFLOW_RESUME to "go on",
                OperatorActionKind.WORKFLOW_PAUSE to "wait",
            )
        }

        test("a run that has ended is started again as a new run, once") {
            val bench = bench()
            val run = bench.started()
            bench.client.workflows.cancel(Scope.everything(), run)
            val ada = bench.bench.viewer("ada")
            val form = ada.form("/runs/$run/recover")

            val first = ada.send(form, "reason" to "canceled by mistake").location()!!
            val second = ada.send(form, "reason" to "canceled by mistake").location()!!

            first shouldStartWith "/runs/"
            second shouldBe "/audit/${bench.audit().single().id()}"
            bench.run(UUID.fromString(first.removePrefix("/runs/").substringBefore('?'))).workflowType() shouldBe "order"
            bench.client.workflows.count(Scope.everything()) shouldBe 2
        }

        test("failed steps are retried in the same run, and only they") {
            val bench = bench()
            val run = bench.started()
            val ada = bench.bench.viewer("ada")
            ada.get("/runs/$run/retry").body() shouldContain "The run has no failed steps to retry: it is running."
            bench.client.workflows.failGate(Scope.everything(), run, GATE, "late", "Too late.")
            bench.bench.ledger.work(handlers { on(ActionBench.mail) { } })

            ada.fill("/runs/$run/retry", "reason" to "there is time after all").statusCode() shouldBe 303

            bench.gate(run).status() shouldBe WorkflowStepStatus.WAITING_FOR_EXTERNAL
            bench.client.workflows.getStep(Scope.everything(), run, "mail").status() shouldBe WorkflowStepStatus.SUCCEEDED
            bench.audit().single().run { kind() to reason() } shouldBe
                (OperatorActionKind.WORKFLOW_RETRY_FAILED to "there is time after all")
        }

        test("a gate whose key has a slash is completed with an output") {
            val bench = bench()
            val run = bench.started()

            val answer = bench.bench.viewer("ada")
                .fill("/runs/$run/complete-gate?$gateQuery", "output" to "{\"by\":\"ada\"}", "reason" to "checked")

            answer.statusCode() shouldBe 303
            bench.gate(run).status() shouldBe WorkflowStepStatus.SUCCEEDED
            bench.gate(run).output()!!.text() shouldContain "ada"
            bench.audit().single().run { kind() to reason() } shouldBe (OperatorActionKind.GATE_COMPLETE to "checked")
        }

        test("a gate fails with the code of the operator, and is not completed a second time") {
            val bench = bench()
            val run = bench.started()
            val ada = bench.bench.viewer("ada")
            val completing = ada.form("/runs/$run/complete-gate?$gateQuery")

            ada.fill(
                "/runs/$run/fail-gate?$gateQuery",
                "code" to "fraud",
                "message" to "Looks like fraud.",
                "reason" to "checked",
            )
                .statusCode() shouldBe 303
            val late = ada.send(completing, "reason" to "looks good")

            bench.gate(run).lastErrorCode() shouldBe "fraud"
            late.statusCode() shouldBe 409
            late.body() shouldContain "You saw: waiting for external. Now: failed."
        }

        test("output that is not JSON completes nothing") {
            val bench = bench()
            val run = bench.started()

            val answer = bench.bench.viewer("ada").fill(
                "/runs/$run/complete-gate?$gateQuery",
                "output" to "yes",
                "reason" to "checked",
            )

            answer.statusCode() shouldBe 400
            bench.gate(run).status() shouldBe WorkflowStepStatus.WAITING_FOR_EXTERNAL
            bench.audit().shouldBeEmpty()
        }

        test("the payload of a step is edited in two steps") {
            val bench = bench()
            val run = bench.started()
            val ada = bench.bench.viewer("ada")

            val review = ada.fill("/runs/$run/edit-step?step=mail", "payload" to "{\"to\":\"bob\"}", "reason" to "address")
            ada.send(FilledForm(review.body()), "decision" to "confirmed").statusCode() shouldBe 303

            bench.client.workflows.getStep(Scope.everything(), run, "mail").payload().text() shouldContain "bob"
        }

        test("the edit of a step by another operator is not overwritten") {
            val bench = bench()
            val run = bench.started()
            val ada = bench.bench.viewer("ada")
            val payload = Payload.json("{\"to\":\"cleo\"}")

            val review = ada.fill("/runs/$run/edit-step?step=mail", "payload" to "{\"to\":\"bob\"}", "reason" to "address")
            bench.client.workflows.editPayload(Scope.everything(), run, "mail", payload, "meanwhile")
            val answer = ada.send(FilledForm(review.body()), "decision" to "confirmed")

            answer.statusCode() shouldBe 409
            bench.client.workflows.getStep(Scope.everything(), run, "mail").payload().text() shouldContain "cleo"
        }

        test("runs and gates of another organization are not found") {
            val bench = bench()
            val run = bench.started(UUID.randomUUID())
            val eve = bench.bench.viewer("eve", scope = Scope.organization(UUID.randomUUID()))

            eve.get("/runs/$run/cancel").statusCode() shouldBe 404
            eve.get("/runs/$run/complete-gate?$gateQuery").statusCode() shouldBe 404
        }
    })
