package io.runledger.exposed.read

import io.runledger.exposed.json.headers
import io.runledger.exposed.json.readRetryPolicy
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
import io.runledger.model.flow.StoredFlow
import io.runledger.model.job.Job
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobStatus
import io.runledger.model.job.JobSummary
import io.runledger.model.job.Lease
import io.runledger.model.job.OpenAttempt
import io.runledger.model.job.Progress
import io.runledger.model.retry.RetryPolicy
import io.runledger.model.retry.RetryTerms
import java.sql.ResultSet

/** A whole row of `job_queue`. */
internal fun ResultSet.job(): Job {
    val status = wire<JobStatus>("status")
    return Job(
        uuid("id"),
        getString("job_type"),
        uuidOrNull("organization_id"),
        status,
        getString("status_reason"),
        wire("stage"),
        wireOrNull<JobStage>("initial_stage") ?: JobStage.QUEUED,
        getInt("priority"),
        getInt("run_number"),
        getInt("attempt"),
        getInt("interruptions"),
        getInt("max_attempts"),
        seconds("timeout_seconds"),
        jsonOrNull("retry_policy"),
        jsonOfAnyDepth("payload"),
        jsonOfAnyDepthOrNull("checkpoint"),
        jsonOfAnyDepthOrNull("output"),
        progress(),
        getString("idempotency_key"),
        jsonOfAnyDepthOrNull("enqueue_request"),
        headers(),
        storedFlow(),
        if (status == JobStatus.LEASED) openAttempt() else null,
        if (status == JobStatus.CANCELED) instantOrNull("lease_expires_at") else null,
        getString("last_error_code"),
        getString("last_error_message"),
        instant("next_run_at"),
        instant("created_at"),
        instant("updated_at"),
        instantOrNull("started_at"),
        instantOrNull("finished_at"),
    )
}

internal fun ResultSet.jobSummary() = JobSummary(
    uuid("id"),
    getString("job_type"),
    uuidOrNull("organization_id"),
    wire("status"),
    wire("stage"),
    getInt("priority"),
    getInt("run_number"),
    getInt("attempt"),
    getInt("max_attempts"),
    progress(),
    getString("idempotency_key"),
    storedFlow(),
    getString("last_error_code"),
    instant("next_run_at"),
    instant("created_at"),
    instant("updated_at"),
    instantOrNull("started_at"),
    instantOrNull("finished_at"),
)

/** A queue is also a limit key, under a name of its own. */
private fun ResultSet.storedFlow(): StoredFlow {
    val queue = getString("queue")
    val keys = (getArray("limit_keys")?.array as? Array<*>).orEmpty().map { it as String }
    val order = getString("order_key")
    val share = getString("share_key")
    val isEmpty = queue == null && keys.isEmpty() && order == null && share == null
    return if (isEmpty) StoredFlow.NONE else StoredFlow(queue, keys - "queue:$queue", order, share)
}

internal fun ResultSet.progress() = Progress(longOrNull("progress_done"), longOrNull("progress_total"))

private fun ResultSet.openAttempt() = OpenAttempt(
    Lease(uuid("id"), getInt("run_number"), getInt("attempt"), getString("worker_id"), uuid("lease_id")),
    wire("claim_origin"),
    instant("leased_at"),
    seconds("lease_seconds"),
    instant("lease_expires_at"),
    instantOrNull("last_heartbeat_at"),
    instantOrNull("execution_started_persisted_at"),
)

internal fun ResultSet.retryTerms(): RetryTerms {
    val own = jsonOrNull("job_policy")
    val stored = own ?: jsonOrNull("type_policy")
    val source = when {
        own != null -> RetryTerms.Source.JOB
        stored != null -> RetryTerms.Source.TYPE
        else -> RetryTerms.Source.STANDARD
    }
    return RetryTerms(stored?.readRetryPolicy() ?: RetryPolicy.standard(), getInt("max_attempts"), source)
}
