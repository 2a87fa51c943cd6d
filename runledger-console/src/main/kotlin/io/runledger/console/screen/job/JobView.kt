package io.runledger.console.screen.job

import io.runledger.console.visit.Visit
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.history.JobReason
import io.runledger.model.history.JobStory
import io.runledger.model.job.Attempt
import io.runledger.model.job.Job
import io.runledger.model.retry.RetryTerms
import java.util.UUID

/** What the page of a job shows. */
internal class JobView(
    val story: JobStory,
    val reasons: List<JobReason>,
    /** Null if the stored policy is not valid. */
    val terms: RetryTerms?,
) {
    val job: Job get() = story.job()

    /** The attempt that failed last; null if none has, or if the job succeeded since. */
    val failed: Attempt? = story.attempts().lastOrNull { it.errorCode() != null }.takeIf { job.lastErrorCode() != null }

    companion object {
        fun of(visit: Visit, id: UUID): JobView = visit.snapshot("job $id") {
            val jobs = visit.reads.jobs
            JobView(jobs.story(visit.scope, id), jobs.why(visit.scope, id), terms(visit, id))
        }

        private fun terms(visit: Visit, id: UUID): RetryTerms? = try {
            visit.reads.jobs.retryTerms(visit.scope, id)
        } catch (refused: RunledgerException) {
            if (refused.code() != ErrorCode.INVALID_RETRY_POLICY) throw refused
            null
        }
    }
}
