package io.runledger.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRunStatus
import io.runledger.test.TestLedger
import io.runledger.test.freshLedger
import java.util.UUID
import java.util.concurrent.CopyOnWriteArrayList

class PayrollSpec :
    FunSpec({
        val salaries = listOf(Salary("ada", 500_000), Salary("bob", 40_000_000))

        fun TestLedger.start(): UUID {
            client.definitions.sync(payrollHandlers { }.jobTypes)
            return client.workflows.enqueue(payroll("2026-11", salaries)).runId()
        }

        test("a payroll is held back, corrected and let go, and every salary is paid once") {
            val ledger = freshLedger()
            val run = ledger.start()
            val desk = PayrollDesk(ledger.client)
            val paid = CopyOnWriteArrayList<Salary>()
            val handlers = payrollHandlers { paid += it }

            desk.hold(run, "Bob earns less.") shouldBe true
            ledger.work(handlers)
            paid.shouldBeEmpty()
            desk.onHold().single() shouldEndWith "Bob earns less."
            desk.correct(run, Salary("bob", 400_000), "A slip of the pen.")
            desk.goOn(run, "Corrected.")
            ledger.work(handlers)

            paid shouldContainExactlyInAnyOrder listOf(Salary("ada", 500_000), Salary("bob", 400_000))
            ledger.client.workflows.get(Scope.global(), run).status() shouldBe WorkflowRunStatus.SUCCEEDED
            desk.onHold().shouldBeEmpty()
            desk.audit(run) shouldContainExactly listOf("PAUSED: Bob earns less.", "RESUMED: Corrected.")
            desk.hold(run, "Too late.") shouldBe false
            ledger.client.verify().isSound shouldBe true
        }
    })
