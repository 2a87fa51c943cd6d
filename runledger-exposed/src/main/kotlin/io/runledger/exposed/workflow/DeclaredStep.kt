package io.runledger.exposed.workflow

import io.runledger.exposed.json.plainMap
import io.runledger.exposed.json.readCondition
import io.runledger.exposed.json.readJobFlow
import io.runledger.exposed.sql.intOrNull
import io.runledger.exposed.sql.jsonOrNull
import io.runledger.exposed.sql.wire
import io.runledger.model.condition.Condition
import io.runledger.model.flow.JobFlow
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.StepKind
import java.sql.ResultSet

/** A step as the request of a run or an append declares it. A setting is null if the default of the job type applies. */
internal class DeclaredStep(
    val key: String?,
    private val kind: StepKind,
    private val jobType: String?,
    private val priority: Int?,
    private val maxAttempts: Int?,
    private val timeoutSeconds: Int?,
    private val mayContinue: Boolean,
    private val condition: Condition?,
    val flow: JobFlow,
) {
    fun describes(step: WorkflowStep): Boolean {
        val job = step.job()
        return step.kind() == kind && job?.jobType() == jobType && (job?.continuable() ?: false) == mayContinue &&
            step.condition() == condition &&
            (priority == null || priority == job?.priority()) &&
            (maxAttempts == null || maxAttempts == job?.maxAttempts()) &&
            (timeoutSeconds == null || timeoutSeconds.toLong() == job?.timeout()?.toSeconds())
    }

    companion object {
        fun of(row: ResultSet) = DeclaredStep(
            row.getString("step_key"),
            row.wire("execution_kind"),
            row.getString("job_type"),
            row.intOrNull("priority"),
            row.intOrNull("max_attempts"),
            row.intOrNull("timeout_seconds"),
            row.getBoolean("allow_handler_continuation"),
            row.jsonOrNull("condition")?.readCondition(),
            readJobFlow(row.jsonOrNull("flow")?.let(::plainMap)),
        )
    }
}
