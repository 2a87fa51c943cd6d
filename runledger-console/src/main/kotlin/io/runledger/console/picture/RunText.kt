package io.runledger.console.picture

import io.runledger.console.picture.look.StateLook
import io.runledger.console.picture.svg.shown
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.WorkflowRun

/** What pictures of a run say about the run as a whole. */
internal object RunText {
    fun title(run: WorkflowRun): String {
        val status = run.status().wire().lowercase().replace('_', ' ')
        return "${shown(run.workflowType())}, $status" + if (run.isPaused) ", paused" else ""
    }

    fun counts(steps: List<WorkflowStep>): Map<StateLook, Int> = steps.groupingBy { StateLook.of(it.status()) }.eachCount()

    fun description(counts: Map<StateLook, Int>): String = "${counts.values.sum()} steps: ${StateLook.counted(counts)}."
}
