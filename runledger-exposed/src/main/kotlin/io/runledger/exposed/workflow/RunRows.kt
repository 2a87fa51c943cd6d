package io.runledger.exposed.workflow

import io.runledger.exposed.json.headers
import io.runledger.exposed.sql.exception
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.jsonOrNull
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.model.error.ErrorCode
import io.runledger.model.error.RunledgerException
import io.runledger.model.text.Text
import io.runledger.model.workflow.WorkflowRun
import java.sql.ResultSet
import java.util.UUID

/** Reads a whole row of `workflow_runs`. */
internal fun ResultSet.workflowRun() = WorkflowRun(
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
    json("metadata"),
    headers(),
    json("context"),
    wire("context_merge"),
    jsonOrNull("enqueue_request"),
    getString("result_step_key"),
    jsonOrNull("result"),
    instant("started_at"),
    instantOrNull("finished_at"),
    instant("created_at"),
    instant("updated_at"),
)

internal fun runNotFound(id: UUID): RunledgerException = ErrorCode.RUN_NOT_FOUND.exception(
    "There is no workflow run $id in this scope: check the id and the scope.",
)

internal fun stepNotFound(runId: UUID, stepKey: String): RunledgerException = ErrorCode.STEP_NOT_FOUND.exception(
    "There is no step ${Text.quoted(
        stepKey,
    )} of run $runId in this scope: check the key, the id of the run and its organization.",
)
