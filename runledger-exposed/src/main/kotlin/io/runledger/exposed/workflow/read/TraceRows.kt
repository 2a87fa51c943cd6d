package io.runledger.exposed.workflow.read

import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.json
import io.runledger.exposed.sql.jsonOfAnyDepth
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.model.history.RunEvent
import io.runledger.model.history.RunMutation
import io.runledger.model.history.StepEvent
import io.runledger.model.history.WorkflowRecovery
import io.runledger.model.ledger.Scope
import io.runledger.model.run.ActiveClaim
import java.sql.ResultSet

/** Reads a whole row of `workflow_step_events`. */
internal fun ResultSet.stepEvent() = StepEvent(
    uuid("workflow_run_id"),
    getLong("id"),
    uuid("step_id"),
    getString("step_key"),
    wire("event_type"),
    jsonOfAnyDepth("payload"),
    instant("occurred_at"),
)

/** Reads a whole row of `workflow_run_journal`. */
internal fun ResultSet.runEvent() = RunEvent(
    uuid("workflow_run_id"),
    wire("event_type"),
    getString("reason"),
    instant("occurred_at"),
)

/** Reads a whole row of `workflow_run_mutations`. */
internal fun ResultSet.runMutation() = RunMutation(
    uuid("id"),
    uuid("workflow_run_id"),
    wire("mutation_kind"),
    getString("mutation_key"),
    json("metadata"),
    json("request"),
    instant("created_at"),
    instant("updated_at"),
)

/** Reads a whole row of `workflow_recoveries`; null for a row of nulls. */
internal fun ResultSet.workflowRecoveryOrNull(): WorkflowRecovery? = uuidOrNull("recovery_run_id")?.let {
    WorkflowRecovery(
        it,
        uuid("source_run_id"),
        uuidOrNull("source_step_id"),
        wire("mode"),
        getString("request_key"),
        getString("reason"),
        instant("created_at"),
    )
}

/** Reads a whole row of `workflow_active_claims` that was looked up in [scope]. */
internal fun ResultSet.activeClaim(scope: Scope) = ActiveClaim(
    scope,
    getString("active_key"),
    uuid("workflow_run_id"),
    getBoolean("release_pending"),
    instant("created_at"),
    instant("updated_at"),
)
