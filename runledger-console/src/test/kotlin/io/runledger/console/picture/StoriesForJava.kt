package io.runledger.console.picture

import io.runledger.model.history.JobStory
import io.runledger.model.history.WorkflowStory
import io.runledger.model.job.JobStatus
import io.runledger.model.workflow.WorkflowStepStatus

/** Stories for the call sites in Java. */
object StoriesForJava {
    @JvmStatic
    fun run(key: String, status: WorkflowStepStatus): WorkflowStory =
        StoryBuilder().step(key, status, released = 0, started = 1).build()

    @JvmStatic
    fun job(status: JobStatus): JobStory = jobStory(status, emptyList())
}
