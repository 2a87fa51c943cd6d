package io.runledger.console.picture.look

import io.runledger.console.picture.svg.Icon
import io.runledger.model.workflow.WorkflowStepStatus

/**
 * How the state of a step looks: never by its color alone.
 *
 * @property look class of the style sheet
 * @property word the state as a word
 * @property plural the state in the counts of a group
 */
internal enum class StateLook(val look: String, val word: String, val plural: String, val icon: Icon) {
    BLOCKED("rl-blocked", "blocked", "blocked", Icon.DOTS),
    WAITING("rl-waiting", "waiting", "waiting", Icon.DIAMOND),
    ENQUEUED("rl-enqueued", "enqueued", "enqueued", Icon.CLOCK),
    RUNNING("rl-running", "running", "running", Icon.PLAY),
    SUCCEEDED("rl-succeeded", "succeeded", "done", Icon.CHECK),
    FAILED("rl-failed", "failed", "failed", Icon.CROSS),
    CANCELED("rl-canceled", "canceled", "canceled", Icon.SLASH),
    SKIPPED("rl-skipped", "skipped", "skipped", Icon.FORWARD),
    ;

    companion object {
        /** The order of the counts of a group. */
        val BY_INTEREST: List<StateLook> = listOf(SUCCEEDED, RUNNING, FAILED, WAITING, ENQUEUED, BLOCKED, CANCELED, SKIPPED)

        private val BY_URGENCY = listOf(FAILED, RUNNING, WAITING, ENQUEUED, BLOCKED, CANCELED, SUCCEEDED, SKIPPED)

        fun of(status: WorkflowStepStatus): StateLook = when (status) {
            WorkflowStepStatus.BLOCKED -> BLOCKED
            WorkflowStepStatus.WAITING_FOR_EXTERNAL -> WAITING
            WorkflowStepStatus.ENQUEUED -> ENQUEUED
            WorkflowStepStatus.RUNNING -> RUNNING
            WorkflowStepStatus.SUCCEEDED -> SUCCEEDED
            WorkflowStepStatus.FAILED -> FAILED
            WorkflowStepStatus.CANCELED -> CANCELED
            WorkflowStepStatus.SKIPPED -> SKIPPED
        }

        /** The look of several steps: that of the step that an operator wants to see first. */
        fun ofAll(looks: Set<StateLook>): StateLook = BY_URGENCY.first { it in looks }

        /** The counts as words, for example `97 done, 2 running, 1 failed`. */
        fun counted(counts: Map<StateLook, Int>): String =
            BY_INTEREST.filter { it in counts }.joinToString(", ") { "${counts[it]} ${it.plural}" }
    }
}
