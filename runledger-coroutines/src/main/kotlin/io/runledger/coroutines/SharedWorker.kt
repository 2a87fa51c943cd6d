package io.runledger.coroutines

import io.runledger.exposed.RunledgerClient
import java.util.concurrent.CompletableFuture
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/**
 * One worker process for many ledgers of a database, for services that keep each tenant in a schema of its own. Ledgers come and
 * go while it works.
 *
 * At most [places] jobs run at once in all. A ledger that is alone in having work may use every place; while others have work,
 * too, each is due an equal part, and a place that becomes free goes to who has fewer, however much another has queued. The
 * `maxConcurrency` of a ledger's config is its own limit: give less than [places] where one tenant's stuck handlers must leave
 * room to the others. The loops of all ledgers make at most ten calls to the database at a time, their handlers at most eight.
 *
 * What goes wrong in one ledger, be it dropped, never migrated, forbidden or locked, is told to its observers and to the log, and
 * the others go on. It is tried again until it works or is left.
 */
public class SharedWorker private constructor(
    /** How many jobs run at once. */
    @get:JvmName("places") public val places: Int,
    private val equipment: LedgerEquipment,
) : AutoCloseable {
    private val premises = Premises(places)
    private val lock = Any()
    private val served = LinkedHashMap<String, Served>()
    private val leaving = LinkedHashSet<Served>()
    private var reports: CompletableFuture<Map<String, WorkerReport>>? = null

    /** A ledger, and its worker once that has started. */
    private class Served(val ledger: RunledgerClient) {
        var worker: RunningWorker? = null
        var hasFailed = false

        /** Held while it is equipped. No monitor: a virtual thread that waits with one keeps its carrier thread before JDK 24. */
        val equipping = ReentrantLock()

        /** Whether its worker has ended, or could not be made: who wants the ledger served begins anew. */
        val isOver: Boolean get() = hasFailed || worker?.hasEnded == true
    }

    /** The schemas of the ledgers that are served now. */
    @get:JvmName("serving")
    public val serving: Set<String>
        get() = synchronized(lock) { served.filterValues { it.worker != null && !it.isOver }.keys.toSet() }

    /**
     * Serves [ledger] from now on. One that is served already goes on, and the answer is its worker. One whose worker has ended,
     * because it was left or told to through the database, is served anew: from the moment its `ended()` completes, also by
     * whoever hears of that first.
     *
     * An `IllegalArgumentException` when a schema of that name is served over another data source: ledgers are told apart by
     * schema. An `IllegalStateException` once the shared worker was told to stop, or when the ledger is left before its worker
     * has started. What [LedgerEquipment.equip] throws is thrown, and nothing is served.
     */
    public fun serve(ledger: RunledgerClient): RunningWorker {
        val entry = synchronized(lock) {
            requireNotStopping()
            served[ledger.schema]?.takeUnless { it.isOver } ?: Served(ledger).also { served[ledger.schema] = it }
        }
        require(entry.ledger.isSameLedger(ledger)) {
            "A schema '${ledger.schema}' is served over another data source: give each database a shared worker of its own."
        }
        // Equipping may take its time: only who wants the same ledger waits for it.
        return entry.equipping.withLock { if (entry.isOver) null else entry.worker ?: start(entry) } ?: serve(ledger)
    }

    private fun start(entry: Served): RunningWorker {
        val schema = entry.ledger.schema
        val built = equipped(entry)
        val worker = synchronized(lock) {
            requireNotStopping()
            check(served[schema] === entry) { "The ledger in '$schema' was left before its worker had started." }
            built.startOn(premises).also { entry.worker = it }
        }
        worker.ended().whenComplete { _, _ ->
            synchronized(lock) {
                served.remove(schema, entry)
                leaving -= entry
            }
        }
        return worker
    }

    private fun equipped(entry: Served): RunledgerWorker = try {
        RunledgerWorker.builder(entry.ledger).also { equipment.equip(it, entry.ledger) }.build()
    } catch (failure: Throwable) {
        synchronized(lock) { entry.hasFailed = served.remove(entry.ledger.schema, entry) }
        throw failure
    }

    private fun requireNotStopping() = check(reports == null) { "The worker is told to stop and takes on no ledger." }

    /**
     * Serves the ledger in [schema] no more: its worker ends as [RunningWorker.stop] says, the others go on. The answer completes
     * with its report, or with null when it was not served. Do this before the ledger is dropped.
     */
    public fun leave(schema: String): CompletableFuture<WorkerReport?> {
        val worker = synchronized(lock) {
            served.remove(schema)?.takeUnless { it.isOver }?.also { if (it.worker != null) leaving += it }?.worker
        }
        return worker?.stop()?.thenApply<WorkerReport?> { it } ?: CompletableFuture.completedFuture(null)
    }

    /**
     * Tells the workers of all ledgers to end, and does not wait. The answer completes when all have ended, also those of ledgers
     * that are being left, with their reports, by schema; of a ledger that was left and served again meanwhile, the report is
     * about both. Calling it again changes nothing and answers the same.
     */
    public fun stop(): CompletableFuture<Map<String, WorkerReport>> =
        synchronized(lock) { reports ?: stopAll().also { reports = it } }.copy()

    private fun stopAll(): CompletableFuture<Map<String, WorkerReport>> {
        val ending = (leaving + served.values).mapNotNull { entry -> entry.worker?.let { entry.ledger.schema to it.stop() } }
        return CompletableFuture.allOf(*ending.map { it.second }.toTypedArray()).thenApply {
            ending.groupBy({ it.first }) { it.second.join() }.mapValues { it.value.reduce(WorkerReport::followedBy) }
        }
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
