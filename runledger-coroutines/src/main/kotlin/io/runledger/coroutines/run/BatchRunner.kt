package io.runledger.coroutines.run

import io.runledger.coroutines.BatchHandler
import io.runledger.coroutines.attempt.Attempt
import io.runledger.model.error.ErrorCode
import io.runledger.model.failure.FailureClassifier
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.Cancellation.Reason
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
import java.util.Collections
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.resume
import kotlin.time.Duration

/**
 * Calls a batch handler in [handlers] for several attempts, and turns its behaviour into their outcomes. The call is cancelled
 * when all attempts are asked to stop; it then has [stopGrace] to end. Makes no database calls.
 */
internal class BatchRunner(
    private val handlers: CoroutineScope,
    private val blocking: CoroutineDispatcher,
    private val stopGrace: Duration,
    private val ledger: String,
) {
    class Member<P>(val attempt: Attempt, val context: JobContext<P>)

    /** How the handler ended, and which attempts had been asked to stop by then. */
    private class End(val outcomes: BatchOutcome, val stopped: Map<Attempt, Reason>)

    /**
     * The outcomes to settle. An outcome is null if its attempt was stopped before it had one; the attempt's cancellation then
     * has the reason. An attempt that was asked to stop during the call loses the outcome that the handler returns for it.
     */
    suspend fun <P> run(
        handler: BatchHandler<P>,
        members: List<Member<P>>,
        classifier: FailureClassifier = FailureClassifier { _, failure -> failure },
    ): Map<Attempt, JobOutcome?> {
        val attempts = members.map { it.attempt }
        val jobs = Collections.unmodifiableList(members.map { it.context })
        val end = AtomicReference<End>()
        val work = handlers.launch(LogContext(ledger, jobs.first().jobType())) {
            val outcomes = outcomesOf(handler, jobs, classifier)
            end.set(End(outcomes, attempts.mapNotNull { one -> one.reason?.let { one to it } }.toMap()))
        }
        work.joinUnless(attempts)
        if (end.get() == null || !work.isCompleted) stop(work, attempts)
        val ended = end.get()?.takeIf { work.isCompleted }
        return attempts.associateWith { attempt -> outcomeOf(attempt, ended, work) }
    }

    /** Waits until the handler has ended or all [attempts] are asked to stop, whichever comes first. */
    private suspend fun Job.joinUnless(attempts: List<Attempt>) = suspendCancellableCoroutine { waiting ->
        val isOver = AtomicBoolean()
        val resumeOnce = { if (isOver.compareAndSet(false, true)) waiting.resume(Unit) }
        val going = AtomicInteger(attempts.size)
        invokeOnCompletion { resumeOnce() }
        attempts.forEach { it.cancellation.whenRequested { if (going.decrementAndGet() == 0) resumeOnce() } }
    }

    private suspend fun stop(work: Job, attempts: List<Attempt>) {
        // If the handler was cancelled without a request to stop, the worker has ended and has cancelled all its coroutines.
        attempts.filterNot { it.cancellation.isRequested() }.forEach { it.cancellation.request(Reason.SHUTDOWN) }
        work.cancel(CancellationException("A stop of all jobs of the batch was requested."))
        withTimeoutOrNull(stopGrace) { work.join() }
    }

    private fun outcomeOf(attempt: Attempt, ended: End?, work: Job): JobOutcome? {
        val stop = attempt.cancellation
        val reason = if (ended == null) stop.reason().orElseThrow() else ended.stopped[attempt]
        if (ended != null && (reason == null || reason == Reason.SHUTDOWN)) {
            return ended.outcomes.find(attempt.lease.jobId()).orElse(missing)
        }
        stop.stopped = reason
        stop.stuck = work.takeUnless { it.isCompleted }
        return if (reason == Reason.TIMEOUT) JobOutcome.failed(JobFailure.timeout(attempt.job.timeout())) else null
    }

    private suspend fun <P> outcomesOf(
        handler: BatchHandler<P>,
        jobs: List<JobContext<P>>,
        classifier: FailureClassifier,
    ): BatchOutcome = try {
        checkNotNull(handler.attempt(jobs, blocking)) { "The handler returned null instead of a BatchOutcome." }
    } catch (thrown: Throwable) {
        // A cancellation of the call is rethrown. A CancellationException of the handler itself is a failure.
        currentCoroutineContext().ensureActive()
        BatchOutcome.all(JobOutcome.failed(JobFailure.of(thrown, classifier)))
    }

    private val Attempt.reason: Reason? get() = cancellation.reason().orElse(null)

    private companion object {
        val missing: JobOutcome = JobOutcome.failed(
            JobFailure.retryable(
                ErrorCode.HANDLER_FAILED.wire(),
                "The batch handler returned no outcome for this job: return one for each job of the batch.",
            ),
        )
    }
}
