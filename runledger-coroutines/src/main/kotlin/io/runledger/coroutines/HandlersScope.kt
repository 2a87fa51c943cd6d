package io.runledger.coroutines

import io.runledger.model.failure.FailureClassifier
import io.runledger.model.handler.AsyncBatchJobHandler
import io.runledger.model.handler.AsyncJobHandler
import io.runledger.model.handler.BatchJobHandler
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobHandler
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import java.time.Duration

/**
 * Registers handlers, one per job type.
 *
 * `handlers { on(crawlSite) { job -> CrawlResult(fetch(job.payload().site)) } }`
 */
@JvmSynthetic
public fun handlers(block: HandlersScope.() -> Unit): Handlers {
    val builder = Handlers.builder()
    HandlersScope(builder).block()
    return builder.build()
}

/** The body of [handlers]. */
public class HandlersScope internal constructor(private val builder: Handlers.Builder) {
    /**
     * Runs jobs of [type] with a suspending function. Its return value is the job's output. If it returns `Unit`, the job
     * succeeds without output. If it returns a [JobOutcome], that outcome is used.
     */
    @JvmSynthetic
    public fun <P : Any> on(type: JobType<P>, handler: suspend (SuspendingJobContext<P>) -> Any?) {
        builder.suspending(type) { job ->
            when (val result = handler(job)) {
                is JobOutcome -> result
                is Unit -> JobOutcome.succeeded()
                else -> JobOutcome.succeeded(result)
            }
        }
    }

    /** Runs jobs of [type] with a suspending handler class. */
    public fun <P : Any> suspending(type: JobType<P>, handler: SuspendingJobHandler<P>) {
        builder.suspending(type, handler)
    }

    /** Runs jobs of [type] with a handler that blocks its thread, for example one written in Java. */
    public fun <P : Any> blocking(type: JobType<P>, handler: JobHandler<P>) {
        builder.blocking(type, handler)
    }

    /** Runs jobs of [type] with a handler that returns a `CompletionStage`. */
    public fun <P : Any> async(type: JobType<P>, handler: AsyncJobHandler<P>) {
        builder.async(type, handler)
    }

    /**
     * Runs up to [max] jobs of [type] in one call of a suspending function, which returns their outcomes. A call takes the jobs
     * that are ready together, and never waits for more. It occupies one slot. [max] is 1 to 1,000.
     *
     * `onBatch(indexPage, max = 100) { jobs -> search.index(jobs.map { it.payload() }); BatchOutcome.succeeded() }`
     */
    @JvmSynthetic
    public fun <P : Any> onBatch(type: JobType<P>, max: Int = 100, handler: suspend (List<JobContext<P>>) -> BatchOutcome) {
        builder.suspendingBatch(type, max) { jobs -> handler(jobs) }
    }

    /** Runs up to [max] jobs of [type] in one call of a suspending handler class; see [onBatch]. */
    public fun <P : Any> suspendingBatch(type: JobType<P>, max: Int, handler: SuspendingBatchJobHandler<P>) {
        builder.suspendingBatch(type, max, handler)
    }

    /** Runs up to [max] jobs of [type] in one call of a handler that blocks its thread; see [onBatch]. */
    public fun <P : Any> blockingBatch(type: JobType<P>, max: Int, handler: BatchJobHandler<P>) {
        builder.blockingBatch(type, max, handler)
    }

    /** Runs up to [max] jobs of [type] in one call of a handler that returns a `CompletionStage`; see [onBatch]. */
    public fun <P : Any> asyncBatch(type: JobType<P>, max: Int, handler: AsyncBatchJobHandler<P>) {
        builder.asyncBatch(type, max, handler)
    }

    /** Runs jobs of the [machine]'s type with its functions, step by step. */
    public fun <S : Any> machine(machine: StepMachine<S>) {
        builder.machine(machine)
    }

    /** Runs jobs of [type] step by step, with the functions that [block] declares; see [stepMachine]. */
    @JvmSynthetic
    public fun <S : Any> machine(type: JobType<S>, block: StepMachineScope<S>.() -> Unit) {
        builder.machine(stepMachine(type, block))
    }

    /** Adds all handlers of [handlers], which keep their classifiers and their overtime; see [Handlers.Builder.include]. */
    public fun include(handlers: Handlers) {
        builder.include(handlers)
    }

    /** Classifies the exceptions of all handlers that have no classifier of their own. The last call wins. */
    public fun classify(classifier: FailureClassifier) {
        builder.classify(classifier)
    }

    /** Classifies the exceptions of the handler of [type]. */
    public fun classify(type: JobType<*>, classifier: FailureClassifier) {
        builder.classify(type, classifier)
    }

    /** How long handlers that ignore their timeout keep their jobs; see [Handlers.Builder.overtime]. */
    public fun overtime(overtime: Duration) {
        builder.overtime(overtime)
    }

    /** How long the handler of [type] keeps its job after its timeout; see [Handlers.Builder.overtime]. */
    public fun overtime(type: JobType<*>, overtime: Duration) {
        builder.overtime(type, overtime)
    }
}
