package io.runledger.samples

import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.RoutingCall
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import io.runledger.coroutines.awaitRunResult
import io.runledger.dsl.jobType
import io.runledger.dsl.workflow
import io.runledger.ktor.Runledger
import io.runledger.ktor.runledger
import io.runledger.ktor.runledgerHealth
import io.runledger.model.error.NotFoundException
import io.runledger.model.ledger.Scope
import java.util.UUID
import javax.sql.DataSource

data class PayOut(val expense: String)

val payOut = jobType<PayOut>("expenses.pay-out")

/** An expense waits for an approval over HTTP. The worker in this service then pays it. */
fun Application.expenses(pool: DataSource) {
    install(Runledger) {
        dataSource = pool
        handlers { on(payOut) { job -> "paid ${job.payload().expense}" } }
    }

    routing {
        runledgerHealth()
        post("/expenses/{expense}") {
            val run = call.runledger.workflows.enqueue(approvedExpense(call.parameters["expense"]!!)).runId()
            call.respondText("$run", status = HttpStatusCode.Accepted)
        }
        post("/runs/{run}/approval") {
            try {
                call.runledger.workflows.completeGate(Scope.global(), call.run(), "approval")
                call.respond(HttpStatusCode.NoContent)
            } catch (unknown: NotFoundException) {
                call.respondText(unknown.message!!, status = HttpStatusCode.NotFound)
            }
        }
        get("/runs/{run}/result") {
            call.respondText(call.runledger.workflows.awaitRunResult<String>(Scope.global(), call.run())!!)
        }
    }
}

/** With the key, a request that the client repeats starts only one run. */
private fun approvedExpense(expense: String) = workflow("expenses.approve") {
    idempotencyKey("expense/$expense")
    val approved = externalGate("approval")
    val paid = job("pay-out") {
        runs(payOut, PayOut(expense))
        after(approved)
    }
    result(paid)
}

private fun RoutingCall.run(): UUID = UUID.fromString(parameters["run"])
