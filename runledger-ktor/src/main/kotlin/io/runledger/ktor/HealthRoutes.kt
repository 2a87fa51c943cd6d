package io.runledger.ktor

import io.ktor.http.ContentType
import io.ktor.http.HttpHeaders
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.plugin
import io.ktor.server.response.header
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.RoutingContext
import io.ktor.server.routing.application
import io.ktor.server.routing.get
import io.ktor.server.routing.route
import io.runledger.exposed.json.JacksonCodec

/**
 * Routes for probes of [ledger], with answers in JSON:
 *
 * - `GET path/live` is 200 unless the worker ended with an error, so that a restart would help. It does not use the database.
 * - `GET path/ready` is 200 if the worker runs and the ledger answers within two seconds, else 503.
 * - `GET path` is the same as `path/ready`.
 *
 * An application without a worker is ready if the ledger answers. The answers contain states, error codes and what an operator
 * should look at, but no data of jobs. The status does not depend on the backlog.
 */
public fun Route.runledgerHealth(path: String = "/health", ledger: LedgerPlugin = Runledger) {
    val installed = application.plugin(ledger)
    route(path) {
        get { ready(installed) }
        get("ready") { ready(installed) }
        get("live") {
            val phase = installed.workerPhase
            answer(phase != WorkerPhase.FAILED, mapOf("worker" to phase.name.lowercase()), "alive", "failed")
        }
    }
}

private suspend fun RoutingContext.ready(ledger: InstalledLedger) {
    val report = ledger.health()
    answer(report.isReady, report.facts, "ready", "not ready")
}

private suspend fun RoutingContext.answer(isGood: Boolean, facts: Map<String, Any?>, good: String, bad: String) {
    val json = codec.encode(mapOf("status" to if (isGood) good else bad) + facts).text()
    call.response.header(HttpHeaders.CacheControl, "no-store")
    call.respondText(json, ContentType.Application.Json, if (isGood) HttpStatusCode.OK else HttpStatusCode.ServiceUnavailable)
}

private val codec = JacksonCodec()

/** The state of an application's worker and ledger at one moment. */
internal class HealthReport(worker: WorkerPhase, schema: String, ledger: LedgerAnswer) {
    val isReady: Boolean = ledger.health != null && worker in setOf(WorkerPhase.NONE, WorkerPhase.RUNNING)

    val facts: Map<String, Any?> = mapOf(
        "worker" to worker.name.lowercase(),
        "ledger" to when (val health = ledger.health) {
            null -> mapOf("schema" to schema, "status" to "unavailable", "code" to ledger.code?.wire())
            else -> mapOf("schema" to schema, "status" to "available", "concerns" to health.concerns())
        },
    )
}
