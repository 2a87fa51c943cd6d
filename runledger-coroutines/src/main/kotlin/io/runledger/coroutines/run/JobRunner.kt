package io.runledger.coroutines.run

import io.runledger.model.run.JobContext
import io.runledger.model.run.JobFailure
import io.runledger.model.run.JobOutcome
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** Runs one attempt and turns whatever the handler does into an outcome. Touches no database. */
internal class JobRunner(private val blocking: CoroutineDispatcher) {
    /** Never throws, except [kotlinx.coroutines.CancellationException] when the attempt itself is cancelled from outside. */
    suspend fun <P> run(handler: AttemptHandler<P>, job: JobContext<P>, timeout: Duration): JobOutcome =
        withTimeoutOrNull(timeout) { outcomeOf(handler, job) } ?: JobOutcome.failed(JobFailure.timeout(timeout.toJavaDuration()))

    private suspend fun <P> outcomeOf(handler: AttemptHandler<P>, job: JobContext<P>): JobOutcome = try {
        checkNotNull(handler.attempt(job, blocking)) { "The handler returned null instead of a JobOutcome." }
    } catch (thrown: Throwable) {
        // A cancellation of the attempt goes on its way; one the handler made itself, say by a timeout of its own, is its
        // failure.
        currentCoroutineContext().ensureActive()
        JobOutcome.failed(JobFailure.of(thrown))
    }
}
