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
    /** Starts a worker for [task]; called in the worker process. Closing it waits for its end. */
    fun start(task: Task): AutoCloseable
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
    /** Version, and what was set because its documentation advises so; printed with the results. */
    val settings: String,
    /** The number of jobs with waiting handlers: fewer if the contender needs a thread for each. */
    val waitingJobs: Int = 10_000,
    /** Why it cannot take part on this machine; null when it can. */
    val absence: () -> String? = { null },
    val make: (BenchDatabase) -> Contender,
)
