package io.runledger.console.action

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.runledger.console.access.ConsoleRole
import io.runledger.console.form.fill
import io.runledger.console.form.form
import io.runledger.console.form.location
import io.runledger.console.form.send
import io.runledger.model.job.JobStatus
import io.runledger.model.ledger.Scope
import io.runledger.model.operator.OperatorActionKind
import java.util.UUID

class UndoActionSpec :
    FunSpec({
        fun bench() = ActionBench().also { autoClose(it) }

        test("canceled jobs are put back, once, and the undo is an action too") {
            val bench = bench()
            val jobs = List(3) { bench.waiting() }
            val ada = bench.bench.viewer("ada")
            ada.fill("/jobs/change/cancel", "reason" to "wrong campaign")
            val canceling = bench.audit().single()

            ada.get("/audit/${canceling.id()}/undo").body() shouldContain "Takes back what this action did to 3 rows."
            val form = ada.form("/audit/${canceling.id()}/undo")
            val first = ada.send(form, "reason" to "right after all")
            val second = ada.send(form, "reason" to "right after all")

            jobs.map { bench.job(it).status() }.distinct() shouldBe listOf(JobStatus.PENDING)
            bench.audit().map { it.kind() } shouldBe listOf(OperatorActionKind.UNDO, OperatorActionKind.JOB_CANCEL)
            first.location() shouldBe "/audit/${bench.audit().first().id()}"
            second.location() shouldBe first.location()
            ada.get("/audit/${canceling.id()}/undo").body() shouldContain "The action was undone already."
        }

        test("what the ledger cannot take back has no form") {
            val bench = bench()
            val ada = bench.bench.viewer("ada")
            ada.fill("/jobs/${bench.deadLetter()}/requeue", "reason" to "again")

            ada.get("/audit/${bench.audit().single().id()}/undo").body() shouldContain "cannot undo this kind of action"
        }

        test("actions of another organization are not found, and viewers undo nothing") {
            val bench = bench()
            val own = UUID.randomUUID()
            bench.bench.viewer("ada", scope = Scope.organization(own)).fill(
                "/jobs/${bench.waiting(organization = own)}/cancel",
                "reason" to "ours",
            )
            val id = bench.audit().single().id()

            bench.bench.viewer("eve", scope = Scope.organization(UUID.randomUUID())).get("/audit/$id/undo").statusCode() shouldBe
                404
            bench.bench.viewer("guest", ConsoleRole.VIEWER).get("/audit/$id/undo").statusCode() shouldBe 403
        }
    })
