package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.exposed.RunledgerClient
import io.runledger.model.json.Payload
import io.runledger.model.spec.WorkflowQuery
import io.runledger.model.spec.WorkflowRequest
import io.runledger.model.state.PausedRun
import io.runledger.model.state.Scope
import java.util.UUID

data class Salary(val employee: String, val cents: Long)

/** Where the money goes. */
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

/** What people do with a payroll that is under way and wrong. */
class PayrollDesk(private val client: RunledgerClient) {
    /** No salary is paid from here on; transfers that run are finished. False when there was nothing left to hold. */
    fun hold(run: UUID, why: String): Boolean =
        client.workflows.pause(Scope.global(), run, why).result() != PausedRun.Result.ALREADY_ENDED

    fun correct(run: UUID, salary: Salary, why: String) {
        client.workflows.editPayload(Scope.global(), run, "pay ${salary.employee}", Payload.of(salary), why)
    }

    /** Whatever is ready is paid now, once. */
    fun goOn(run: UUID, why: String) {
        client.workflows.resume(Scope.global(), run, why)
    }

    /** What is held back, since when and why. */
    fun onHold(): List<String> {
        val held = WorkflowQuery.builder().workflowTypes("payroll").paused(true).build()
        return client.workflows.list(Scope.global(), held).items().map { run ->
            "${run.id()} since ${run.pausedAt()}: ${run.pauseReason()}"
        }
    }

    /** Who held it back and let it go, for the auditor. */
    fun audit(run: UUID): List<String> =
        client.workflows.runEvents(Scope.global(), run).map { listOfNotNull(it.type(), it.reason()).joinToString(": ") }
}
