package io.runledger.coroutines

import io.runledger.model.job.JobRequest
import io.runledger.model.job.JobType
import io.runledger.model.schedule.PollResult
import io.runledger.model.schedule.TakenPoll
import io.runledger.model.workflow.WorkflowRequest

/** The receiver of a trigger's function: the poll, and functions that make its result. */
public class PollScope internal constructor(
    /** The trigger and the instant its poll was due. */
    @get:JvmName("poll")
    public val poll: TakenPoll,
) {
    /** Starts a job of [type], unless the trigger has fired under [dedupKey] before. */
    public fun <P : Any> fire(dedupKey: String, type: JobType<P>, payload: P): PollResult =
        PollResult.fire(dedupKey, type, payload)

    /** Starts [job], unless the trigger has fired under [dedupKey] before. */
    public fun fire(dedupKey: String, job: JobRequest): PollResult = PollResult.fire(dedupKey, job)

    /** Starts [workflow], unless the trigger has fired under [dedupKey] before. */
    public fun fire(dedupKey: String, workflow: WorkflowRequest): PollResult = PollResult.fire(dedupKey, workflow)

    /** Starts everything that [results] start. */
    public fun all(results: List<PollResult>): PollResult = PollResult.all(results)

    /** Starts nothing; the [reason] goes to the trigger's history. */
    @JvmOverloads
    public fun skip(reason: String? = null): PollResult = if (reason == null) PollResult.skip() else PollResult.skip(reason)
}
