package io.runledger.opentelemetry

import io.opentelemetry.api.OpenTelemetry
import io.opentelemetry.context.Context
import io.runledger.coroutines.JobInterceptor
import io.runledger.coroutines.SuspendingBatchJobHandler
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.AsyncBatchJobHandler
import io.runledger.model.handler.BatchJobHandler
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.JobContext
import io.runledger.model.value.HeaderSource
import kotlinx.coroutines.withContext
import java.util.concurrent.CancellationException
import java.util.concurrent.CompletionException
import java.util.concurrent.CompletionStage

/**
 * Traces of jobs, workflow runs and schedules. The client puts the context of the trace into the headers of what it enqueues,
 * through the propagators of the [OpenTelemetry] instance, and the worker continues the trace in each attempt.
 *
 * [trace] a client and a worker with the same instance or, in another process, with one that has the same propagators. Safe for
 * use by many threads and by any number of clients and workers.
 */
public class RunledgerTelemetry private constructor(openTelemetry: OpenTelemetry) {
    private val carrier = TraceHeaders(openTelemetry.propagators.textMapPropagator)
    private val spans = JobSpans(openTelemetry.getTracer(SCOPE), carrier)

    /**
     * The source for `RunledgerClient.Builder.headers`. It never throws: if the context of a trace cannot be written, the job is
     * enqueued without it.
     */
    @get:JvmName("headers")
    public val headers: HeaderSource = HeaderSource { spans.enqueued(it) }

    /** The interceptor for `RunledgerWorker.Builder.intercept`. Java calls [trace]. */
    @get:JvmSynthetic
    public val interceptor: JobInterceptor = JobInterceptor { job, next ->
        spans.attempt(job).run { span -> withContext(TraceContext(span.context)) { next() }.also(span::ended) }
    }

    /** Adds the context of the current trace to everything that the client enqueues. */
    public fun trace(client: RunledgerClient.Builder): RunledgerClient.Builder = client.headers(headers)

    /**
     * Runs each attempt of the worker's jobs in a span. Add it before other interceptors, so that their work belongs to the
     * span. Batch handlers are wrapped by [suspendingBatch], [blockingBatch] and [asyncBatch] instead.
     */
    public fun trace(worker: RunledgerWorker.Builder): RunledgerWorker.Builder = worker.intercept(interceptor)

    /** Runs each call of a batch handler in a span, which is linked to the enqueues of its jobs. */
    public fun <P> suspendingBatch(handler: SuspendingBatchJobHandler<P>): SuspendingBatchJobHandler<P> =
        SuspendingBatchJobHandler { jobs ->
            spans.batch(jobs).run { span -> withContext(TraceContext(span.context)) { handler.handle(jobs) }.also(span::ended) }
        }

    /** [suspendingBatch] for a handler that blocks its thread. */
    public fun <P> blockingBatch(handler: BatchJobHandler<P>): BatchJobHandler<P> = BatchJobHandler { jobs ->
        spans.batch(jobs).run { span -> span.context.current { handler.handle(jobs) }.also(span::ended) }
    }

    /** [suspendingBatch] for a handler that returns a `CompletionStage`. The span is current while the handler is called. */
    public fun <P> asyncBatch(handler: AsyncBatchJobHandler<P>): AsyncBatchJobHandler<P> =
        AsyncBatchJobHandler { jobs -> ended(spans.batch(jobs), jobs, handler) }

    private fun <P> ended(
        span: JobSpan,
        jobs: List<JobContext<P>>,
        handler: AsyncBatchJobHandler<P>,
    ): CompletionStage<BatchOutcome> {
        val stage = try {
            span.context.current { handler.handle(jobs) }
        } catch (failure: Throwable) {
            span.failed(failure)
            span.close()
            throw failure
        }
        val traced = stage.whenComplete { outcome: BatchOutcome?, failure: Throwable? ->
            if (failure != null) span.failed((failure as? CompletionException)?.cause ?: failure) else outcome?.let(span::ended)
            span.close()
        }
        // The worker cancels the stage that it is given.
        traced.whenComplete { _, failure -> if (failure is CancellationException) stage.toCompletableFuture().cancel(true) }
        return traced
    }

    public companion object {
        private const val SCOPE = "io.runledger"

        /** Traces with the tracer and the propagators of [openTelemetry]. */
        @JvmStatic
        public fun create(openTelemetry: OpenTelemetry): RunledgerTelemetry = RunledgerTelemetry(openTelemetry)
    }
}

/** Runs [call] with this context and its ids in the MDC on the calling thread. */
private inline fun <T> Context.current(call: () -> T): T {
    val before = TraceContext.enter(this)
    return try {
        call()
    } finally {
        TraceContext.leave(before)
    }
}
