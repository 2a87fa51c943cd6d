package io.runledger.exposed.workflow

import io.runledger.exposed.json.headers
import io.runledger.exposed.json.readCondition
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.jsonOfAnyDepth
import io.runledger.exposed.sql.jsonOfAnyDepthOrNull
import io.runledger.exposed.sql.jsonOrNull
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.seconds
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.exposed.sql.wireOrNull
import io.runledger.model.run.StepDependency
import io.runledger.model.run.StepGate
import io.runledger.model.run.StepJob
import io.runledger.model.run.WorkflowStep
import io.runledger.model.workflow.StepKind
import java.sql.ResultSet
import java.time.Duration

/** Reads a whole row of `workflow_steps`. */
internal fun ResultSet.workflowStep(): WorkflowStep {
    val kind = wire<StepKind>("execution_kind")
    return WorkflowStep(
        uuid("id"),
        uuid("workflow_run_id"),
        getString("step_key"),
        getInt("ordinal"),
        kind,
        wire("status"),
        getString("status_reason"),
        uuidOrNull("organization_id"),
        if (kind == StepKind.JOB) stepJob() else null,
        if (kind == StepKind.EXTERNAL) stepGate() else null,
        getInt("dependency_count_total"),
        getInt("dependency_count_pending"),
        getInt("dependency_count_unsatisfied"),
        jsonOrNull("condition")?.readCondition(),
        jsonOfAnyDepth("payload"),
        jsonOfAnyDepthOrNull("output"),
        getString("last_error_code"),
        getString("last_error_message"),
        instantOrNull("released_at"),
        instantOrNull("started_at"),
        instantOrNull("finished_at"),
        instant("created_at"),
        instant("updated_at"),
    )
}

/** Reads a whole row of `workflow_step_dependencies`. */
internal fun ResultSet.stepDependency() = StepDependency(
    uuid("workflow_run_id"),
    uuid("prerequisite_step_id"),
    uuid("dependent_step_id"),
    wire("release_mode"),
    getString("input_name"),
    instant("created_at"),
)

private fun ResultSet.stepJob() = StepJob(
    getString("job_type"),
    uuidOrNull("job_id"),
    getInt("priority"),
    getInt("max_attempts"),
    seconds("timeout_seconds"),
    wire("stage"),
    longOrNull("delay_seconds")?.let(Duration::ofSeconds),
    jsonOrNull("retry_policy"),
    getBoolean("allow_handler_continuation"),
    headers(),
)

private fun ResultSet.stepGate() = StepGate(
    longOrNull("expires_after_seconds")?.let(Duration::ofSeconds),
    wireOrNull("expiry_outcome"),
    instantOrNull("expires_at"),
)
