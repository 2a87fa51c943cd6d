package io.runledger.coroutines

import io.runledger.model.run.AsyncJobHandler
import io.runledger.model.run.FailureClassifier
import io.runledger.model.run.JobContext
import io.runledger.model.run.JobHandler
import io.runledger.model.run.JobOutcome
import io.runledger.model.spec.JobType
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
     * Runs jobs of [type] by a suspending function. What it returns is the job's output; a function that returns nothing
     * succeeds without one, and a [JobOutcome] says something else than success.
     */
    @JvmSynthetic
    public fun <P : Any> on(type: JobType<P>, handler: suspend (JobContext<P>) -> Any?) {
        builder.suspending(type) { job ->
            when (val result = handler(job)) {
                is JobOutcome -> result
                is Unit -> JobOutcome.succeeded()
                else -> JobOutcome.succeeded(result)
            }
        }
    }

    /** Runs jobs of [type] by a suspending handler class. */
    public fun <P : Any> suspending(type: JobType<P>, handler: SuspendingJobHandler<P>) {
        builder.suspending(type, handler)
    }

    /** Runs jobs of [type] by a handler that blocks its thread, for example one written in Java. */
    public fun <P : Any> blocking(type: JobType<P>, handler: JobHandler<P>) {
        builder.blocking(type, handler)
    }

    /** Runs jobs of [type] by a handler that returns a `CompletionStage`. */
    public fun <P : Any> async(type: JobType<P>, handler: AsyncJobHandler<P>) {
        builder.async(type, handler)
    }

    /** Runs jobs of the [machine]'s type by its functions, step by step. */
    public fun <S : Any> machine(machine: StepMachine<S>) {
        builder.machine(machine)
    }

    /** Has [classifier] say of what sort the exceptions of all handlers are that have no classifier of their own. */
    public fun classify(classifier: FailureClassifier) {
        builder.classify(classifier)
    }

    /** Has [classifier] say of what sort the exceptions of the handler of [type] are. */
    public fun classify(type: JobType<*>, classifier: FailureClassifier) {
        builder.classify(type, classifier)
    }

    /** How long handlers that go on although their time is up keep their jobs; see [Handlers.Builder.overtime]. */
    public fun overtime(overtime: Duration) {
        builder.overtime(overtime)
    }

    /** How long the handler of [type] keeps its job although its time is up; see [Handlers.Builder.overtime]. */
    public fun overtime(type: JobType<*>, overtime: Duration) {
        builder.overtime(type, overtime)
    }
}
