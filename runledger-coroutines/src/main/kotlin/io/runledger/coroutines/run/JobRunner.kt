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
import kotlinx.coroutines.Job
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.resume
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Runs one attempt in [handlers] and turns the behaviour of its handler into an outcome. A handler that is asked to stop, for
 * example by its timeout, has [stopGrace] to do so; after that the runner no longer waits for it. Makes no database calls.
 */
internal class JobRunner(
    private val handlers: CoroutineScope,
    private val blocking: CoroutineDispatcher,
    private val interceptors: List<JobInterceptor>,
    private val stopGrace: Duration,
    private val ledger: String,
) {
    /** The outcome to settle, or null if the handler was stopped before it had one; [cancellation] then has the reason. */
    suspend fun <P> run(
        handler: AttemptHandler<P>,
        job: JobContext<P>,
        cancellation: AttemptCancellation,
        timeout: Duration,
        classifier: FailureClassifier = FailureClassifier { _, failure -> failure },
    ): JobOutcome? {
        cancellation.reason().orElse(null)?.let { reason ->
            cancellation.stopped = reason
            return null
        }
        // Not the result of an async, which would lose an outcome that arrives after a cancellation.
        val outcome = AtomicReference<JobOutcome>()
        val work = handlers.launch(CurrentJob(job) + LogContext(ledger, job)) { outcome.set(outcomeOf(handler, job, classifier)) }
        work.joinUnless(cancellation)
        outcome.get()?.takeIf { work.isCompleted }?.let { return it }
        // The handler was cancelled without a request to stop: the worker has ended and has cancelled all its coroutines.
        if (!cancellation.isRequested()) cancellation.request(Cancellation.Reason.SHUTDOWN)
        val reason = cancellation.reason().orElseThrow()
        work.cancel(CancellationException("A stop of the job was requested: $reason."))
        withTimeoutOrNull(stopGrace) { work.join() }
        cancellation.stopped = reason
        cancellation.stuck = work.takeUnless { it.isCompleted }
        return when (reason) {
            Cancellation.Reason.TIMEOUT -> JobOutcome.failed(JobFailure.timeout(timeout.toJavaDuration()))
            Cancellation.Reason.SHUTDOWN -> outcome.get()
            else -> null
        }
    }

    /** Waits until the handler has ended or is asked to stop, whichever comes first. */
    private suspend fun Job.joinUnless(cancellation: AttemptCancellation) = suspendCancellableCoroutine { waiting ->
        val isOver = AtomicBoolean()
        val resumeOnce = { if (isOver.compareAndSet(false, true)) waiting.resume(Unit) }
        invokeOnCompletion { resumeOnce() }
        cancellation.whenRequested(resumeOnce)
    }

    private suspend fun <P> outcomeOf(
        handler: AttemptHandler<P>,
        job: JobContext<P>,
        classifier: FailureClassifier,
    ): JobOutcome = try {
        val attempt: suspend () -> JobOutcome = {
            checkNotNull(handler.attempt(job, blocking)) { "The handler returned null instead of a JobOutcome." }
        }
        val seen = SuspendingJobContext(job)
        interceptors.foldRight(attempt) { interceptor, next -> { interceptor.intercept(seen, next) } }()
    } catch (thrown: Throwable) {
        // A cancellation of the attempt is rethrown. A CancellationException of the handler itself, for example from its own
        // timeout, is a failure.
        currentCoroutineContext().ensureActive()
        JobOutcome.failed(JobFailure.of(thrown, classifier))
    }
}
