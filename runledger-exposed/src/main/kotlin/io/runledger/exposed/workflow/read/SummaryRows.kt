package io.runledger.exposed.workflow.read

import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.exposed.sql.wireOrNull
import io.runledger.model.run.OpenGate
import io.runledger.model.run.WorkflowSummary
import java.sql.ResultSet

internal fun ResultSet.workflowSummary() = WorkflowSummary(
    uuid("id"),
    getString("workflow_type"),
    uuidOrNull("organization_id"),
    wire("status"),
    getString("status_reason"),
    instantOrNull("paused_at"),
    getString("pause_reason"),
    getInt("open_steps"),
    getInt("active_steps"),
    getInt("waiting_steps"),
    getInt("error_steps"),
    getString("idempotency_key"),
    instant("started_at"),
    instantOrNull("finished_at"),
    instant("created_at"),
    instant("updated_at"),
)

internal fun ResultSet.openGate() = OpenGate(
    uuid("workflow_run_id"),
    getString("workflow_type"),
    uuidOrNull("organization_id"),
    uuid("step_id"),
    getString("step_key"),
    json("payload"),
    instant("released_at"),
    instantOrNull("expires_at"),
    wireOrNull("expiry_outcome"),
)
