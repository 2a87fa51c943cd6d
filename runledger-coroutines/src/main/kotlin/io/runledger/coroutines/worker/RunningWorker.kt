package io.runledger.coroutines.worker

import io.runledger.coroutines.WorkerReport
import java.util.concurrent.CompletableFuture

/** A worker that runs in the background. For use in try-with-resources. */
public class RunningWorker internal constructor(
    private val requestStop: Runnable,
    private val report: CompletableFuture<WorkerReport>,
) : AutoCloseable {
    @get:JvmSynthetic
    internal val hasEnded: Boolean get() = report.isDone

    /**
     * Requests the shutdown that [RunledgerWorker.run] describes, and does not wait. The future completes with the report when
     * the worker has ended. Repeated calls have no further effect.
     */
    public fun stop(): CompletableFuture<WorkerReport> {
        requestStop.run()
        return report.copy()
    }

    /** Completes when the worker has ended, for whatever reason. */
    public fun ended(): CompletableFuture<WorkerReport> = report.copy()

    /** Calls [stop] and waits until the worker has ended. */
    override fun close() {
        stop().join()
    }
}
