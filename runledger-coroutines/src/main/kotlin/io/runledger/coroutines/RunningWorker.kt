package io.runledger.coroutines

import java.util.concurrent.CompletableFuture

/** A worker that works on its own. For use in try-with-resources. */
public class RunningWorker internal constructor(
    private val requestStop: Runnable,
    private val report: CompletableFuture<WorkerReport>,
) : AutoCloseable {
    @get:JvmSynthetic
    internal val hasEnded: Boolean get() = report.isDone

    /**
     * Tells the worker to end, as [RunledgerWorker.run] does when it is cancelled, and does not wait. The answer completes
     * with the report when it has ended. Calling it again changes nothing.
     */
    public fun stop(): CompletableFuture<WorkerReport> {
        requestStop.run()
        return report.copy()
    }

    /** Completes when the worker has ended, whoever told it to. */
    public fun ended(): CompletableFuture<WorkerReport> = report.copy()

    /** [stop], and waits until the worker has ended. */
    override fun close() {
        stop().join()
    }
}
