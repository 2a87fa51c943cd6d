package io.runledger.coroutines.worker

import io.runledger.coroutines.WorkerReport
import io.runledger.exposed.RunledgerClient
import java.util.concurrent.CompletableFuture
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/**
 * One worker process for many ledgers of a database, for services that keep each tenant in its own schema. Ledgers can be added
 * and removed while it runs.
 *
 * At most [places] jobs run at the same time, over all ledgers. If only one ledger has work, it may use all slots. If several
 * have work, each is due an equal share, and a slot that becomes free goes to the ledger with the fewest running jobs, however
 * long the backlog of another is. The `maxConcurrency` of a ledger's config is its own limit: set it below [places] if stuck
 * handlers of one tenant must leave slots to the others. The loops of all ledgers make at most ten calls to the database at a
 * time, their handlers at most eight.
 *
 * If a ledger is dropped, not migrated, not accessible or locked, its observers and the log report the failure, and the other
 * ledgers are not affected. The worker retries until the ledger works or is removed with [leave].
 */
public class SharedWorker private constructor(
    /** How many jobs run at the same time. */
    @get:JvmName("places") public val places: Int,
    private val equipment: LedgerEquipment,
) : AutoCloseable {
    private val shared = SharedResources(places)
    private val lock = Any()
    private val served = LinkedHashMap<String, Served>()
    private val leaving = LinkedHashSet<Served>()
    private var reports: CompletableFuture<Map<String, WorkerReport>>? = null

    /** A ledger, and its worker once that has started. */
    private class Served(val ledger: RunledgerClient) {
        var worker: RunningWorker? = null
        var hasFailed = false

        /** Held during [LedgerEquipment.equip]. Not a monitor: before JDK 24, it would pin the carrier of a virtual thread. */
        val equipping = ReentrantLock()

        /** Whether its worker has ended or could not be built. The next call of `serve` then creates a new entry. */
        val isOver: Boolean get() = hasFailed || worker?.hasEnded == true
    }

    /** The schemas of the ledgers that are served now. */
    @get:JvmName("serving")
    public val serving: Set<String>
        get() = synchronized(lock) { served.filterValues { it.worker != null && !it.isOver }.keys.toSet() }

    /**
     * Starts to serve [ledger]. If the ledger is served already, returns its worker. If its worker has ended, by [leave] or by an
     * order, starts a new one; this is possible as soon as `ended()` completes, also in a callback of that future.
     *
     * Throws an `IllegalArgumentException` if a schema of the same name is served over another data source, because ledgers are
     * identified by their schema. Throws an `IllegalStateException` after [stop], or if [leave] is called before the worker has
     * started. An exception of [LedgerEquipment.equip] is rethrown, and the ledger is not served.
     */
    public fun serve(ledger: RunledgerClient): RunningWorker {
        val entry = synchronized(lock) {
            requireNotStopping()
            served[ledger.schema]?.takeUnless { it.isOver } ?: Served(ledger).also { served[ledger.schema] = it }
        }
        require(entry.ledger.isSameLedger(ledger)) {
            "A schema '${ledger.schema}' is served over another data source: give each database its own shared worker."
        }
        // Equipping may take long: only callers for the same ledger wait for it.
        return entry.equipping.withLock { if (entry.isOver) null else entry.worker ?: start(entry) } ?: serve(ledger)
    }

    private fun start(entry: Served): RunningWorker {
        val schema = entry.ledger.schema
        val built = equipped(entry)
        val worker = synchronized(lock) {
            requireNotStopping()
            check(served[schema] === entry) { "The ledger in '$schema' was left before its worker started: serve it again." }
            built.startOn(shared).also { entry.worker = it }
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

    private fun requireNotStopping() =
        check(reports == null) { "The shared worker is stopping and serves no further ledger: start a new one." }

    /**
     * Stops serving the ledger in [schema]: its worker stops as with [RunningWorker.stop], the others continue. The future
     * completes with its report, or with null if the ledger was not served. Call this before the ledger is dropped.
     */
    public fun leave(schema: String): CompletableFuture<WorkerReport?> {
        val worker = synchronized(lock) {
            served.remove(schema)?.takeUnless { it.isOver }?.also { if (it.worker != null) leaving += it }?.worker
        }
        return worker?.stop()?.thenApply<WorkerReport?> { it } ?: CompletableFuture.completedFuture(null)
    }

    /**
     * Requests all workers to stop, and does not wait. The future completes with their reports, by schema, when all have ended,
     * including workers that [leave] has stopped. If a ledger was left and served again meanwhile, its report covers both.
     * Repeated calls have no further effect and return the same reports.
     */
    public fun stop(): CompletableFuture<Map<String, WorkerReport>> =
        synchronized(lock) { reports ?: stopAll().also { reports = it } }.copy()

    private fun stopAll(): CompletableFuture<Map<String, WorkerReport>> {
        val ending = (leaving + served.values).mapNotNull { entry -> entry.worker?.let { entry.ledger.schema to it.stop() } }
        return CompletableFuture.allOf(*ending.map { it.second }.toTypedArray()).thenApply {
            ending.groupBy({ it.first }) { it.second.join() }.mapValues { it.value.reduce(WorkerReport::followedBy) }
        }
    }

    /** Calls [stop] and waits until all workers have ended. */
    override fun close() {
        stop().join()
    }

    public companion object {
        /** Starts a worker that runs up to [places] jobs at the same time. Add ledgers with [SharedWorker.serve]. */
        @JvmStatic
        public fun start(places: Int, equipment: LedgerEquipment): SharedWorker {
            require(places >= 1) { "places is $places: give 1 or more." }
            return SharedWorker(places, equipment)
        }
    }
}
