package io.runledger.ktor

import io.ktor.util.logging.Logger
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.worker.RunningWorker

/** What the worker of an application does. */
public enum class WorkerPhase {
    /** The application has no worker: it has no handlers, or its worker is disabled. */
    NONE,

    /** The application has not started yet. */
    STARTING,

    /** The worker runs. */
    RUNNING,

    /** The application stops. The worker claims no more jobs and ends when the running ones have ended. */
    STOPPING,

    /** The worker has ended, because the application stops or because an operator ordered it. */
    STOPPED,

    /** The worker has ended with an error, which is in the log. */
    FAILED,
}

/** The worker of an application, from its start to its end. It is started once at most, and not after [drain]. */
internal class ApplicationWorker(private val worker: RunledgerWorker?, private val log: Logger) {
    private val lock = Any()
    private var running: RunningWorker? = null
    private var isStopping = false

    val phase: WorkerPhase
        get() = synchronized(lock) {
            val ended = running?.ended()
            when {
                worker == null -> WorkerPhase.NONE
                ended == null -> if (isStopping) WorkerPhase.STOPPED else WorkerPhase.STARTING
                ended.isCompletedExceptionally -> WorkerPhase.FAILED
                ended.isDone -> WorkerPhase.STOPPED
                isStopping -> WorkerPhase.STOPPING
                else -> WorkerPhase.RUNNING
            }
        }

    fun start() {
        synchronized(lock) { if (!isStopping && running == null) running = worker?.start() }
        running?.ended()?.whenComplete { _, failure ->
            if (failure != null) log.error("The worker ended with an error.", failure)
        }
    }

    /** Stops the worker and waits until it has ended, which takes at most its shutdown grace and the time to stop handlers. */
    fun drain() {
        val stopping = synchronized(lock) {
            isStopping = true
            running
        }
        stopping?.stop()?.handle { _, _ -> }?.join()
    }
}
