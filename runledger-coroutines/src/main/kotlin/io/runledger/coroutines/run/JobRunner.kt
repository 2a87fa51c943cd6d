package io.runledger.coroutines.run

import io.runledger.coroutines.AttemptHandler
import io.runledger.coroutines.CurrentJob
import io.runledger.coroutines.JobInterceptor
import io.runledger.coroutines.SuspendingJobContext
import io.runledger.coroutines.attempt.AttemptCancellation
import io.runledger.model.failure.FailureClassifier
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.isActive
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Runs handlers in [handlers] and turns their behaviour into outcomes. A handler that is asked to stop, for example by its
 * timeout, has [stopGrace] to do so; after that the runner no longer waits for it. Makes no database calls.
 */
internal class JobRunner(
    private val handlers: CoroutineScope,
    /** Where the runner waits for handlers that are asked to stop. */
    private val stops: CoroutineScope,
    private val blocking: CoroutineDispatcher,
    private val interceptors: List<JobInterceptor>,
    private val stopGrace: Duration,
    private val ledger: String,
) {
    /**
     * Calls the handler on the calling thread, which belongs to the dispatcher of [handlers], until it suspends. Most handlers of
     * fast jobs do not suspend, and then no other coroutine and no listener for its end is created.
     *
     * Calls [onEnd] once, with the outcome to settle. It is null if the handler was stopped before it had one; [cancellation]
     * then has the reason. [onEnd] must neither block nor throw.
     */
    fun <P> start(
        handler: AttemptHandler<P>,
        job: JobContext<P>,
        cancellation: AttemptCancellation,
        timeout: Duration,
        classifier: FailureClassifier = FailureClassifier { _, failure -> failure },
        onEnd: (JobOutcome?) -> Unit,
    ) {
        // A coroutine that starts on this thread would run even if its scope is cancelled, because the worker has ended.
        if (!handlers.isActive) cancellation.request(Cancellation.Reason.SHUTDOWN)
        cancellation.requested?.let { reason ->
            cancellation.stopped = reason
            return onEnd(null)
        }
        val call = Call(cancellation, timeout, onEnd)
        val work = handlers.launch(CurrentJob(job) + LogContext(ledger, job), CoroutineStart.UNDISPATCHED) {
            // Before the handler is called: it may run for long without suspending.
            currentCoroutineContext().job.let { work -> cancellation.whenRequested { call.decide(work) } }
            call.outcome = outcomeOf(handler, job, classifier)
        }
        if (work.isCompleted) call.decide(work) else work.invokeOnCompletion { call.decide(work) }
    }

    private inner class Call(
        private val cancellation: AttemptCancellation,
        private val timeout: Duration,
        private val onEnd: (JobOutcome?) -> Unit,
    ) {
        // Not the result of an async, which would lose an outcome that arrives after a cancellation.
        @Volatile
        var outcome: JobOutcome? = null

        private val isDecided = AtomicBoolean()

        /** Called when the handler has ended and when it is asked to stop. The first call decides. */
        fun decide(work: Job) {
            if (!isDecided.compareAndSet(false, true)) return
            val ended = outcome?.takeIf { work.isCompleted }
            if (ended == null) awaitStop(work) else onEnd(ended)
        }

        // An atomic start calls onEnd even if the worker has ended meanwhile.
        @OptIn(DelicateCoroutinesApi::class)
        private fun awaitStop(work: Job) {
            // The handler was cancelled without a request to stop: the worker has ended and has cancelled all its coroutines.
            if (!cancellation.isRequested()) cancellation.request(Cancellation.Reason.SHUTDOWN)
            val reason = checkNotNull(cancellation.requested)
            work.cancel(CancellationException("A stop of the job was requested: $reason."))
            stops.launch(start = CoroutineStart.ATOMIC) {
                try {
                    withTimeoutOrNull(stopGrace) { work.join() }
                } finally {
                    stopped(work, reason)
                }
            }
        }

        private fun stopped(work: Job, reason: Cancellation.Reason) {
            cancellation.stopped = reason
            cancellation.stuck = work.takeUnless { it.isCompleted }
            onEnd(
                when (reason) {
                    Cancellation.Reason.TIMEOUT -> JobOutcome.failed(JobFailure.timeout(timeout.toJavaDuration()))
                    Cancellation.Reason.SHUTDOWN -> outcome
                    else -> null
                },
            )
        }
    }

    private suspend fun <P> outcomeOf(
        handler: AttemptHandler<P>,
        job: JobContext<P>,
        classifier: FailureClassifier,
    ): JobOutcome = try {
        if (interceptors.isEmpty()) called(handler, job) else intercepted(handler, job)
    } catch (thrown: Throwable) {
        // A cancellation of the attempt is rethrown. A CancellationException of the handler itself, for example from its own
        // timeout, is a failure.
        currentCoroutineContext().ensureActive()
        JobOutcome.failed(JobFailure.of(thrown, classifier))
    }

    private suspend fun <P> called(handler: AttemptHandler<P>, job: JobContext<P>): JobOutcome =
        checkNotNull(handler.attempt(job, blocking)) { "The handler returned null instead of a JobOutcome." }

    private suspend fun <P> intercepted(handler: AttemptHandler<P>, job: JobContext<P>): JobOutcome {
        val attempt: suspend () -> JobOutcome = { called(handler, job) }
        val seen = SuspendingJobContext(job)
        return interceptors.foldRight(attempt) { interceptor, next -> { interceptor.intercept(seen, next) } }()
    }
}
