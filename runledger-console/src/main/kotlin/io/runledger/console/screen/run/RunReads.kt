package io.runledger.console.screen.run

import io.runledger.console.screen.audit.Operators
import io.runledger.console.visit.Visit
import io.runledger.model.history.WorkflowLineage
import io.runledger.model.history.WorkflowStory
import io.runledger.model.workflow.WorkflowRun
import io.runledger.model.workflow.WorkflowStepStatus
import java.util.UUID

/** What the pages of one run read, shared by all of its viewers. */
internal class RunReads(private val visit: Visit, val id: UUID) {
    private val runs get() = visit.reads.workflows

    fun run(): WorkflowRun = visit.snapshot("run $id") { runs.get(visit.scope, id) }

    fun stepCounts(): Map<WorkflowStepStatus, Long> = visit.snapshot("run $id counts") { runs.stepCounts(visit.scope, id) }

    fun lineage(): WorkflowLineage = visit.snapshot("run $id lineage") { runs.lineage(visit.scope, id) }

    /** What operators did to the run and its steps. */
    fun operators(): Operators = Operators.ofRun(visit, id)

    /** The whole run with its steps and events; null if it has too many steps for one page. */
    fun story(): WorkflowStory? =
        if (stepCounts().values.sum() > MOST_STEPS) null else visit.snapshot("run $id story") { runs.story(visit.scope, id) }

    companion object {
        /** A page never reads more steps at once. */
        const val MOST_STEPS = 2_000L
    }
}
