package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.exposed.RunledgerClient
import io.runledger.model.ledger.Scope
import io.runledger.model.workflow.WorkflowRequest
import java.util.UUID

data class Salary(val employee: String, val cents: Long)

/** The bank that receives the transfers. */
fun interface PayingBank {
    fun transfer(salary: Salary)
}

val paySalary = jobType<Salary>("payroll.pay")
val closePayroll = jobType<String>("payroll.close")

fun payroll(month: String, salaries: List<Salary>): WorkflowRequest = workflow("payroll") {
    val paid = salaries.map { salary -> job("pay ${salary.employee}") { runs(paySalary, salary) } }
    job("close") {
        runs(closePayroll, month)
        after(paid)
    }
}

fun payrollHandlers(bank: PayingBank): Handlers = handlers {
    on(paySalary) { job -> bank.transfer(job.payload()) }
    on(closePayroll) { }
}

/** Operations on a running payroll that has a mistake. */
class PayrollDesk(private val client: RunledgerClient) {
    /** Pauses the payments. Running transfers finish. Returns false if there is nothing left to pause. */
    fun hold(run: UUID, why: String): Boolean = !client.workflows.pause(Scope.global(), run, why).run().isTerminal

    fun correct(run: UUID, salary: Salary, why: String) {
        client.workflows.editPayload(Scope.global(), run, "pay ${salary.employee}", paySalary, salary, why)
    }

    /** Resumes the payments. Every ready payment is made once. */
    fun goOn(run: UUID, why: String) {
        client.workflows.resume(Scope.global(), run, why)
    }

    /** The paused payrolls, with time and reason. */
    fun onHold(): List<String> {
        val held = client.workflows.list(Scope.global()) { it.workflowTypes("payroll").paused(true) }
        return held.items().map { run -> "${run.id()} since ${run.pausedAt()}: ${run.pauseReason()}" }
    }

    /** The pauses and resumes of a payroll, for the auditor. */
    fun audit(run: UUID): List<String> =
        client.workflows.runEvents(Scope.global(), run).map { listOfNotNull(it.type(), it.reason()).joinToString(": ") }
}
