package io.runledger.exposed.read

import io.runledger.exposed.json.headers
import io.runledger.exposed.sql.instant
import io.runledger.exposed.sql.instantOrNull
import io.runledger.exposed.sql.intOrNull
import io.runledger.exposed.sql.jsonOfAnyDepth
import io.runledger.exposed.sql.jsonOfAnyDepthOrNull
import io.runledger.exposed.sql.longOrNull
import io.runledger.exposed.sql.seconds
import io.runledger.exposed.sql.uuid
import io.runledger.exposed.sql.uuidOrNull
import io.runledger.exposed.sql.wire
import io.runledger.exposed.sql.wireOrNull
import io.runledger.model.history.JobEvent
import io.runledger.model.history.JobLineage
import io.runledger.model.history.StepTransition
import io.runledger.model.job.Attempt
import io.runledger.model.job.DeadLetter
import io.runledger.model.job.JobLogLine
import io.runledger.model.job.JobReplay
import java.sql.ResultSet
import java.time.Duration

internal fun ResultSet.jobEvent() = JobEvent(
    uuid("job_id"),
    getLong("id"),
    getInt("run_number"),
    intOrNull("attempt"),
    wire("event_type"),
    wireOrNull("stage"),
    progress(),
    jsonOfAnyDepth("payload"),
    instant("occurred_at"),
)

internal fun ResultSet.stepTransition() = StepTransition(
    getInt("run_number"),
    getString("from_step"),
    getString("to_step"),
    instant("occurred_at"),
    instant("due_at"),
)

internal fun ResultSet.attempt() = Attempt(
    uuid("job_id"),
    getInt("run_number"),
    getInt("attempt"),
    wire("outcome"),
    getString("worker_id"),
    wire("claim_origin"),
    seconds("lease_seconds"),
    instant("leased_at"),
    instant("started_at"),
    instantOrNull("execution_started_persisted_at"),
    instantOrNull("last_heartbeat_at"),
    instant("finished_at"),
    longOrNull("retry_delay_ms")?.let(Duration::ofMillis),
    instantOrNull("effective_next_run_at"),
    wireOrNull("retry_timing_source"),
    instantOrNull("requested_retry_not_before"),
    getString("error_code"),
    getString("error_message"),
    jsonOfAnyDepthOrNull("error_details"),
)

internal fun ResultSet.jobLogLine() = JobLogLine(
    getLong("id"),
    uuid("job_id"),
    getInt("run_number"),
    intOrNull("attempt"),
    getString("level"),
    getString("message"),
    jsonOfAnyDepth("payload"),
    instant("occurred_at"),
)

internal fun ResultSet.deadLetter() = DeadLetter(
    uuid("job_id"),
    getInt("run_number"),
    getInt("attempt"),
    getString("job_type"),
    uuidOrNull("organization_id"),
    wire("kind"),
    wire("reason"),
    getString("error_code"),
    getString("error_message"),
    jsonOfAnyDepth("payload_snapshot"),
    jsonOfAnyDepthOrNull("checkpoint_snapshot"),
    headers(),
    instant("failed_at"),
    instant("created_at"),
)

internal fun ResultSet.jobReplay() = JobReplay(
    uuid("replay_job_id"),
    uuid("source_job_id"),
    getInt("source_run_number"),
    getString("replay_request_key"),
    getString("reason"),
    instant("created_at"),
)

internal fun ResultSet.stepOrNull(): JobLineage.Step? = uuidOrNull("step_id")?.let {
    JobLineage.Step(
        uuid("workflow_run_id"),
        getString("workflow_type"),
        wire("run_status"),
        it,
        getString("step_key"),
        wire("step_status"),
    )
}
