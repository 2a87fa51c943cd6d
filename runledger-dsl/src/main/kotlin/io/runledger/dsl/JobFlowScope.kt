package io.runledger.dsl

import io.runledger.model.job.JobSettings

/**
 * The settings and the flow of one job. What is set here applies instead of what the functions of the job type find in the
 * payload.
 */
@RunledgerDsl
public sealed class JobFlowScope(private val job: JobSettings.FlowBuilder<*>) : JobSettingsScope(job) {
    /** Adds a declared limit for all jobs, or by organization, to those of the type. A job has at most four limits. */
    public fun limit(name: String) {
        job.limit(name)
    }

    /** Adds a declared limit by key to those of the type, or sets the key of one that the type has. */
    public fun limit(name: String, key: String) {
        job.limit(name, key)
    }

    /** Runs the job after all jobs with the same [key] that were enqueued before it. */
    public fun orderKey(key: String) {
        job.orderKey(key)
    }

    /** Takes the job out of the order of its type. */
    public fun unordered() {
        job.unordered()
    }

    /** Puts the job in a share: the shares of a type take turns in its claims. */
    public fun shareKey(key: String) {
        job.shareKey(key)
    }

    /** Puts the job in a queue, which operators can pause and limit. */
    public fun queue(queue: String) {
        job.queue(queue)
    }
}
