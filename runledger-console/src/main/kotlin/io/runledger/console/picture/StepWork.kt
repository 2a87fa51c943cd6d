package io.runledger.console.picture

import io.runledger.model.history.JobStory
import io.runledger.model.job.Attempt
import io.runledger.model.job.Job
import io.runledger.model.job.Progress

/**
 * What the job of a step says beyond the step itself. Pictures of a run show it where it is given.
 *
 * @property attempt number of claims in the job's current run
 * @property maxAttempts number of failed attempts after which the job becomes a dead letter
 * @property progress progress reported by the handler
 * @property attempts ended attempts, or empty if they are not known
 */
public class StepWork @JvmOverloads public constructor(
    @get:JvmName("attempt") public val attempt: Int,
    @get:JvmName("maxAttempts") public val maxAttempts: Int,
    @get:JvmName("progress") public val progress: Progress = Progress.NONE,
    attempts: List<Attempt> = emptyList(),
) {
    @get:JvmName("attempts")
    public val attempts: List<Attempt> = attempts.toList()

    public companion object {
        /** The work of a job without its ended attempts. */
        @JvmStatic
        public fun of(job: Job): StepWork = StepWork(job.attempt(), job.maxAttempts(), job.progress())

        /** The work of a job with its ended attempts. */
        @JvmStatic
        public fun of(story: JobStory): StepWork {
            val job = story.job()
            return StepWork(job.attempt(), job.maxAttempts(), job.progress(), story.attempts())
        }
    }
}
