package io.runledger.spring.actuate

import io.runledger.exposed.RunledgerClient
import io.runledger.model.definition.JobMetrics
import io.runledger.model.fleet.Worker
import io.runledger.model.ledger.Scope
import org.springframework.boot.actuate.endpoint.annotation.Endpoint
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation

/** What the ledgers of the application hold, by the names of the clients' beans: concerns, backlog by job type, and workers. */
@Endpoint(id = "runledger")
public class RunledgerEndpoint(private val clients: Map<String, RunledgerClient>) {
    /** Reads every ledger, as the metrics of its client do. */
    @ReadOperation
    public fun ledgers(): Map<String, Map<String, Any>> = clients.mapValues { (_, client) ->
        val health = client.health()
        mapOf(
            "schema" to client.schema,
            "concerns" to health.concerns(),
            "longestWait" to health.longestWait()?.toString().orEmpty(),
            "jobTypes" to client.metrics.jobs(Scope.everything()).map(::jobType),
            "workers" to client.workers.list().map(::worker),
        )
    }

    private fun jobType(metrics: JobMetrics): Map<String, Any> = mapOf(
        "jobType" to metrics.jobType(),
        "pending" to metrics.pending(),
        "leased" to metrics.leased(),
        "window" to metrics.window().toString(),
        "succeeded" to metrics.succeeded(),
        "retryable" to metrics.retryable(),
        "deadLettered" to metrics.deadLettered(),
    )

    private fun worker(worker: Worker): Map<String, Any> = mapOf(
        "workerId" to worker.workerId(),
        "state" to worker.state().name,
        "isLost" to worker.isLost,
        "slots" to worker.slots(),
        "busySlots" to worker.busySlots(),
        "labels" to worker.labels().sorted(),
        "jobTypes" to worker.jobTypes(),
        "host" to worker.host(),
        "lastBeatAt" to worker.lastBeatAt().toString(),
    )
}
