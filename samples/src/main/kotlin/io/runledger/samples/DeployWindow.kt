package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.worker.RunningWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.fleet.WorkerSelection
import java.time.Duration

/** A worker that operators can select by its region. */
fun regionalWorker(client: RunledgerClient, handlers: Handlers, region: String, version: String): RunningWorker =
    RunledgerWorker.builder(client)
        .handlers(handlers)
        .config { it.env().labels(region).applicationVersion(version) }
        .start()

/** Controls the workers of a region during a deployment, wherever they run. Orders reach them through the database. */
class DeployWindow(private val client: RunledgerClient) {
    /**
     * Makes a change while no worker of [region] runs a job. Workers that start during the window wait as well; other regions
     * continue. If windows overlap, the workers continue after the last one. If this process dies, they continue after an hour.
     */
    fun during(region: String, what: String, change: () -> Unit) {
        val workers = WorkerSelection.labelled(region)
        val order = client.workers.drain(workers, "$what begins", Duration.ofHours(1)).order()
        try {
            client.workers.awaitDrained(workers, Duration.ofMinutes(10)).join()
            change()
        } finally {
            client.workers.resume(order.id(), "$what is over")
        }
    }

    /** All drained workers continue. */
    fun allGoOn(why: String): Int = client.workers.resumeAll(why).orders().size

    /** Stops the running workers, each with its own grace period. New workers may start. Returns the addressed workers. */
    fun retire(region: String, why: String): List<String> =
        client.workers.stop(WorkerSelection.labelled(region), why).workers().map { it.workerId() }

    /** One line per worker. */
    fun overview(): List<String> = client.workers.list().map { worker ->
        val state = if (worker.isLost) "lost" else worker.state().name.lowercase()
        val load = "${worker.busySlots()} of ${worker.slots()}"
        "${worker.workerId()} ${worker.labels()} ${worker.applicationVersion()}: $state, $load"
    }
}
