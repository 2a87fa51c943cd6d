-- Ends attempts whose lease ran out, the longest expired first, and says what became of each job.
-- Parameters: whether jobs of workflow steps are meant or jobs of their own, the jobs that may be ended (null for all), limit, retry delay in microseconds, error code, error message.
-- The scalar subquery reads the real clock once and lets the index do the search. Rows that somebody holds are skipped: a renewal or
-- a settlement that is under way decides for itself. A lease is never made longer, so what has expired stays expired.
WITH expired AS MATERIALIZED (
    SELECT
        q.id, q.lease_id, q.job_type, q.organization_id, q.run_number, q.attempt, q.interruptions, q.max_attempts, q.worker_id,
        q.leased_at, q.lease_seconds, q.claim_origin, q.last_heartbeat_at, q.execution_started_persisted_at, q.payload, q.checkpoint
    FROM {schema}.job_queue q
    WHERE q.status = 'LEASED' AND q.lease_expires_at <= (SELECT clock_timestamp())
        AND q.is_step = ?::bool AND (?::uuid[] IS NULL OR q.id = ANY (?::uuid[]))
    ORDER BY q.lease_expires_at
    LIMIT ?
    FOR NO KEY UPDATE OF q SKIP LOCKED
), decided AS MATERIALIZED (
    SELECT
        e.*, clock_timestamp() AS at, ?::bigint AS delay_us, ?::text AS error_code, ?::text AS error_message,
        CASE
            WHEN e.claim_origin = 'WORKER_PRESTART' AND e.execution_started_persisted_at IS NULL THEN 'RELEASED'
            WHEN e.attempt - e.interruptions < e.max_attempts THEN 'RETRY_SCHEDULED'
            ELSE 'DEAD_LETTERED'
        END AS result
    FROM expired e
), ending AS MATERIALIZED (
    SELECT
        d.*,
        CASE d.result WHEN 'RELEASED' THEN d.at WHEN 'RETRY_SCHEDULED' THEN d.at + d.delay_us * interval '1 microsecond' END AS due_at,
        CASE d.result WHEN 'RELEASED' THEN 'LEASE_EXPIRED_BEFORE_RUNNING_PERSISTED' ELSE 'LEASE_EXPIRED' END AS reason
    FROM decided d
), attempt AS (
    INSERT INTO {schema}.job_attempts (
        job_id, leased_at, started_at, finished_at, execution_started_persisted_at, last_heartbeat_at, effective_next_run_at,
        run_number, attempt, lease_seconds, retry_delay_ms, outcome, worker_id, claim_origin, error_code, error_message
    )
    SELECT
        id, leased_at, coalesce(execution_started_persisted_at, leased_at), at, execution_started_persisted_at, last_heartbeat_at, due_at,
        run_number, attempt, lease_seconds, CASE WHEN result = 'RETRY_SCHEDULED' THEN delay_us / 1000 END,
        CASE WHEN result = 'RELEASED' THEN 'INTERRUPTED' ELSE 'LEASE_EXPIRED' END::{schema}.job_failure_kind, worker_id, claim_origin,
        CASE WHEN result = 'RELEASED' THEN reason ELSE error_code END, CASE WHEN result <> 'RELEASED' THEN error_message END
    FROM ending
), dead_letter AS (
    INSERT INTO {schema}.job_dead_letters (
        job_id, organization_id, failed_at, run_number, attempt, kind, job_type, reason, error_code, error_message, payload_snapshot,
        checkpoint_snapshot
    )
    SELECT
        id, organization_id, at, run_number, attempt, 'LEASE_EXPIRED', job_type, 'LEASE_EXPIRED', error_code, error_message, payload,
        checkpoint
    FROM ending WHERE result = 'DEAD_LETTERED'
), delivery AS (
    INSERT INTO {schema}.job_dead_letter_deliveries (job_id, due_at, run_number, job_type, hook)
    SELECT e.id, e.at, e.run_number, e.job_type, h.hook
    FROM ending e JOIN {schema}.job_dead_letter_hooks h ON h.job_type = e.job_type
    WHERE e.result = 'DEAD_LETTERED' AND h.seen_at > now() - interval '30 days'
)
UPDATE {schema}.job_queue q
SET status = CASE e.result WHEN 'DEAD_LETTERED' THEN 'DEAD_LETTERED' ELSE 'PENDING' END::{schema}.job_status,
    interruptions = CASE e.result WHEN 'RELEASED' THEN q.interruptions + 1 ELSE q.interruptions END,
    next_run_at = coalesce(e.due_at, q.next_run_at), finished_at = CASE WHEN e.result = 'DEAD_LETTERED' THEN e.at END,
    lease_id = NULL, worker_id = NULL, leased_at = NULL, lease_seconds = NULL, claim_origin = NULL, lease_expires_at = NULL,
    last_heartbeat_at = NULL, execution_started_persisted_at = NULL, status_reason = e.reason,
    last_error_code = CASE WHEN e.result <> 'RELEASED' THEN e.error_code END,
    last_error_message = CASE WHEN e.result <> 'RELEASED' THEN e.error_message END,
    updated_at = now()
FROM ending e
WHERE q.id = e.id
RETURNING q.id, e.lease_id, e.job_type, e.organization_id, e.run_number, e.attempt, e.worker_id, e.result, e.due_at
