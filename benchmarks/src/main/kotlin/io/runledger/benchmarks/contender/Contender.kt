package io.runledger.benchmarks.contender

import io.runledger.benchmarks.BenchDatabase

/** A way to run background work on PostgreSQL, driven like every other. It has the server for itself while it is measured. */
interface Contender : AutoCloseable {
    /** Creates its tables in an empty database. */
    fun install()

    /** One job, in a transaction of its own. Called by several threads at once. */
    fun enqueue(payload: String)

    /** Many jobs in the fastest way it offers. */
    fun enqueueAll(count: Int, payload: String)

    /** Whether a job has not ended; called repeatedly at the end of a drain, so it must be cheap then. */
    fun hasOpenJobs(): Boolean

    /**
     * Puts rows of the past and of the far future into its tables, half of each, as months of work would have; null when it keeps no
     * such rows. [rows] is the number to have in all.
     */
    val history: ((rows: Long) -> Unit)? get() = null

    /** The command that starts a worker process with the protocol of [io.runledger.benchmarks.worker.WorkerProcess]. */
    fun workerCommand(): List<String>
}

/** A [Contender] of the JVM: its workers are this program again. */
interface JvmContender : Contender {
    /** Opens the connections of a worker, which an application has before it starts a worker; called in the worker process. */
    fun prepare() = Unit

    /** Starts a worker for [task]; called in the worker process. */
    fun start(task: Task): Worker
}

/** A running worker of this process. Closing it waits for its end. */
interface Worker : AutoCloseable {
    /** One job in a transaction of its own, in the way by which this process's own worker learns of it soonest. */
    fun enqueue(payload: String)

    /** Null if the contender has no workflows. */
    val flows: Flows? get() = null
}

/** Workflows whose steps do the worker's task. Called by several threads at once. */
interface Flows {
    /** Runs one step, then [width] steps that wait for it, then one that waits for those. Returns when the run has ended. */
    fun fan(width: Int)

    /** Runs [length] steps, each of which waits for the one before. Returns when the run has ended. */
    fun chain(length: Int)
}

internal fun worker(enqueue: (payload: String) -> Unit, flows: Flows? = null, close: () -> Unit): Worker = object : Worker {
    override fun enqueue(payload: String) = enqueue.invoke(payload)

    override val flows: Flows? = flows

    override fun close() = close.invoke()
}

/** The work of a job: call [onJob] at its start, then wait for [waitMillis], if not zero, in the usual way of the contender. */
class Task(val waitMillis: Long, val onJob: () -> Unit)

/** The description of a contender. */
class Entry(
    /** The name in the results; lower case, no spaces. */
    val name: String,
    /** Whether it is a floor: plain SQL with no library around it. */
    val isFloor: Boolean = false,
    /** Whether it is a library of the JVM. */
    val isJvm: Boolean = true,
    /** Whether it is another entry with other settings, for the scenarios that compare settings. */
    val isVariant: Boolean = false,
    /** Whether it is this library. */
    val isOurs: Boolean = false,
    /** Whether it is too slow for scenarios with many jobs. */
    val isSlow: Boolean = false,
    /** Whether its handlers can take many jobs at once. */
    val hasBatchHandlers: Boolean = false,
    /** How many steps a chain has that it runs; null if it has no workflows. */
    val chainLinks: Int? = null,
    /** Version, and what was set because its documentation advises so; printed with the results. */
    val settings: String,
    /** The number of jobs with waiting handlers: fewer if the contender needs a thread for each. */
    val waitingJobs: Int = 10_000,
    /** Why it cannot take part on this machine; null when it can. */
    val absence: () -> String? = { null },
    val make: (BenchDatabase) -> Contender,
)
