package io.runledger.coroutines

import io.runledger.exposed.RunledgerClient
import java.util.concurrent.CompletableFuture

/**
 * One worker process for many ledgers of a database, for services that keep each tenant in a schema of its own. Ledgers come and
 * go while it works.
 *
 * At most [places] jobs run at once in all. A ledger that is alone in having work may use every place; while others have work,
 * too, each is due an equal part, and a place that becomes free goes to who has fewer, however much another has queued. The
 * `maxConcurrency` of a ledger's config is its own limit: give less than [places] where one tenant's stuck handlers must leave
 * room to the others. The loops of all ledgers make at most eight calls to the database at a time, their handlers at most eight.
 *
 * What goes wrong in one ledger, be it dropped, never migrated or forbidden, is told to its observers and to the log, and the
 * others go on. It is tried again until it works or is left.
 */
public class SharedWorker private constructor(
    /** How many jobs run at once. */
    @get:JvmName("places") public val places: Int,
    private val equipment: LedgerEquipment,
) : AutoCloseable {
    private val premises = Premises(places)
    private val served = LinkedHashMap<String, RunningWorker>()
    private var isStopping = false

    /** The schemas of the ledgers that are served now. */
    @get:JvmName("serving")
    public val serving: Set<String> get() = synchronized(served) { served.keys.toSet() }

    /**
     * Serves [ledger] from now on. One of the same schema that is served already goes on, and the answer is its worker. An
     * `IllegalStateException` once the shared worker was told to stop.
     */
    public fun serve(ledger: RunledgerClient): RunningWorker = synchronized(served) {
        check(!isStopping) { "The worker is told to stop and takes on no ledger." }
        served[ledger.schema] ?: start(ledger)
    }

    private fun start(ledger: RunledgerClient): RunningWorker {
        val builder = RunledgerWorker.builder(ledger)
        equipment.equip(builder, ledger)
        val worker = builder.build().startOn(premises)
        served[ledger.schema] = worker
        worker.ended().whenComplete { _, _ -> synchronized(served) { served.remove(ledger.schema, worker) } }
        return worker
    }

    /**
     * Serves the ledger in [schema] no more: its worker ends as [RunningWorker.stop] says, the others go on. The answer completes
     * with its report, or with null when it was not served. Do this before the ledger is dropped.
     */
    public fun leave(schema: String): CompletableFuture<WorkerReport?> {
        val worker = synchronized(served) { served.remove(schema) }
        return worker?.stop()?.thenApply<WorkerReport?> { it } ?: CompletableFuture.completedFuture(null)
    }

    /** Tells the workers of all ledgers to end, and does not wait. The answer completes with their reports, by schema. */
    public fun stop(): CompletableFuture<Map<String, WorkerReport>> {
        val workers = synchronized(served) {
            isStopping = true
            served.toMap()
        }
        val reports = workers.mapValues { it.value.stop() }
        return CompletableFuture.allOf(*reports.values.toTypedArray())
            .thenApply { reports.mapValues { it.value.join() } }
    }

    /** [stop], and waits until all have ended. */
    override fun close() {
        stop().join()
    }

    public companion object {
        /** A worker for many ledgers that runs [places] jobs at once; it serves none yet. */
        @JvmStatic
        public fun start(places: Int, equipment: LedgerEquipment): SharedWorker {
            require(places >= 1) { "places is $places: give 1 or more." }
            return SharedWorker(places, equipment)
        }
    }
}
