package io.runledger.samples

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.RunledgerWorker
import io.runledger.coroutines.RunningWorker
import io.runledger.coroutines.WorkerConfig
import io.runledger.exposed.RunledgerClient
import io.runledger.model.spec.WorkerSelection
import io.runledger.model.state.Worker
import java.time.Duration

/** A worker that operators can call by its region. */
fun regionalWorker(client: RunledgerClient, handlers: Handlers, region: String, version: String): RunningWorker =
    RunledgerWorker.builder(client)
        .handlers(handlers)
        .config(WorkerConfig.builder().env().labels(region).applicationVersion(version).build())
        .start()

/** What a deploy does with the workers of a region, wherever they run: nothing but the database is needed to reach them. */
class DeployWindow(private val client: RunledgerClient) {
    /**
     * Changes something while no worker of [region] is at work. Workers that start meanwhile wait too; other regions go on. Where
     * windows overlap, the workers go on after the last. Should this process die meanwhile, they go on after an hour.
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

    /** Whoever was drained, for whatever reason, goes on. */
    fun allGoOn(why: String): Int = client.workers.resumeAll(why).orders().size

    /** Ends the workers that run now, each with its own grace; new ones may start at once. Answers whom it told. */
    fun retire(region: String, why: String): List<String> =
        client.workers.stop(WorkerSelection.labelled(region), why).workers().map(Worker::workerId)

    /** One line per worker. */
    fun overview(): List<String> = client.workers.list().map { worker ->
        val state = if (worker.isLost) "lost" else worker.state().name.lowercase()
        val load = "${worker.busySlots()} of ${worker.slots()}"
        "${worker.workerId()} ${worker.labels()} ${worker.applicationVersion()}: $state, $load"
    }
}
