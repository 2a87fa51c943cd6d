package io.runledger.exposed.read

import io.runledger.exposed.TestLedger
import io.runledger.model.state.ClaimedJob
import java.util.UUID

internal fun TestLedger.start(job: ClaimedJob) = run(
    """UPDATE runledger.job_queue SET stage = 'running', execution_started_persisted_at = clock_timestamp()
        WHERE lease_id = '${job.lease().leaseId()}'""",
)

internal fun TestLedger.report(job: ClaimedJob, done: Long) = run(
    """INSERT INTO runledger.job_journal (job_id, run_number, attempt, event_type, progress_done)
        VALUES ('${job.lease().jobId()}', ${job.lease().runNumber()}, ${job.lease().attempt()}, 'PROGRESS', $done)""",
    "UPDATE runledger.job_queue SET progress_done = $done WHERE lease_id = '${job.lease().leaseId()}'",
)

private const val NO_LEASE = "lease_id = NULL, worker_id = NULL, leased_at = NULL, lease_seconds = NULL, claim_origin = NULL, " +
    "last_heartbeat_at = NULL, execution_started_persisted_at = NULL"

private fun endAttempt(id: UUID, outcome: String, extra: Map<String, String> = emptyMap()) = """
    INSERT INTO runledger.job_attempts (job_id, run_number, attempt, leased_at, started_at, finished_at, lease_seconds, worker_id,
        claim_origin, execution_started_persisted_at, last_heartbeat_at, outcome${extra.keys.joinToString("") { ", $it" }})
        SELECT id, run_number, attempt, leased_at, leased_at, now(), lease_seconds, worker_id, claim_origin,
        execution_started_persisted_at, last_heartbeat_at, '$outcome'${extra.values.joinToString("") { ", $it" }}
        FROM runledger.job_queue WHERE id = '$id' AND status = 'LEASED'"""

internal fun TestLedger.cancel(id: UUID) = run(
    endAttempt(id, "CANCELED"),
    """INSERT INTO runledger.job_journal (job_id, run_number, attempt, event_type, payload)
        SELECT id, run_number, nullif(attempt, 0), 'CANCELED', jsonb_strip_nulls(jsonb_build_object('reason', 'no',
        'lease_quiesces_at', CASE WHEN status = 'LEASED' THEN lease_expires_at END)) FROM runledger.job_queue WHERE id = '$id'""",
    "UPDATE runledger.job_queue SET status = 'CANCELED', finished_at = now(), $NO_LEASE WHERE id = '$id'",
)

internal fun TestLedger.requeue(id: UUID) = run(
    """INSERT INTO runledger.job_journal (job_id, run_number, attempt, event_type, stage, payload)
        SELECT id, run_number, nullif(attempt, 0), 'REQUEUED', 'queued',
        '{"reason": "again", "requeue_kind": "COMPARE_AND_REQUEUE", "state_policy": "x", "next_run_number": 2}'
        FROM runledger.job_queue WHERE id = '$id'""",
    """UPDATE runledger.job_queue SET status = 'PENDING', run_number = run_number + 1, attempt = 0, interruptions = 0, stage = 'queued',
        next_run_at = now(), lease_expires_at = NULL, started_at = NULL, finished_at = NULL WHERE id = '$id'""",
)

/** What the reaper does with a lease that ran out: given back unless it started, tried again while attempts are left. */
internal fun TestLedger.reap(id: UUID) {
    val (hasStarted, isLast) = value(
        """SELECT execution_started_persisted_at IS NOT NULL, attempt - interruptions >= max_attempts
            FROM runledger.job_queue WHERE id = '$id'""",
    ).split('|').map { it == "t" }
    val failure = mapOf("error_code" to "'job.lease_expired'", "error_message" to "'vanished'")
    val retry = mapOf("retry_delay_ms" to "5000", "effective_next_run_at" to "now()")
    val released = mapOf("error_code" to "'LEASE_EXPIRED_BEFORE_RUNNING_PERSISTED'", "effective_next_run_at" to "now()")
    when {
        !hasStarted -> run(
            endAttempt(id, "INTERRUPTED", released),
            "UPDATE runledger.job_queue SET status = 'PENDING', interruptions = interruptions + 1, $NO_LEASE WHERE id = '$id'",
        )

        !isLast -> run(
            endAttempt(id, "LEASE_EXPIRED", failure + retry),
            "UPDATE runledger.job_queue SET status = 'PENDING', $NO_LEASE WHERE id = '$id'",
        )

        else -> run(
            endAttempt(id, "LEASE_EXPIRED", failure),
            """INSERT INTO runledger.job_dead_letters (job_id, run_number, attempt, failed_at, kind, job_type, reason, error_code,
                payload_snapshot) SELECT id, run_number, attempt, now(), 'LEASE_EXPIRED', job_type, 'LEASE_EXPIRED',
                'job.lease_expired', payload FROM runledger.job_queue WHERE id = '$id'""",
            "UPDATE runledger.job_queue SET status = 'DEAD_LETTERED', finished_at = now(), $NO_LEASE WHERE id = '$id'",
        )
    }
}

internal fun TestLedger.replay(source: UUID): UUID = enqueue().also { id ->
    run(
        """INSERT INTO runledger.job_replays (replay_job_id, source_job_id, source_run_number, replay_request_key, reason)
            VALUES ('$id', '$source', 1, 'k', 'again')""",
    )
}
