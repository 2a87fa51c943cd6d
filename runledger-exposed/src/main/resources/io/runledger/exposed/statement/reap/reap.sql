-- Ends attempts whose lease has expired and that are locked, as decided, and returns the result for each job. :by_policy says whether a
-- retry policy chose the delay. Every row is found by its primary key: LATERAL and a lock, which is already held, keep the planner to that,
-- and at the end ARRAY does.
WITH decided AS MATERIALIZED (
    SELECT
        i.result, i.letter_reason, i.delay_us, i.is_by_policy, q.id, q.lease_id, q.job_type, q.organization_id, q.run_number, q.attempt,
        q.worker_id, q.leased_at, q.lease_seconds, q.claim_origin, q.last_heartbeat_at, q.execution_started_persisted_at, q.payload,
        q.checkpoint, clock_timestamp() AS at, :error_code::text AS error_code, :error_message::text AS error_message
    FROM unnest(:job_ids::uuid[], :results::text[], :letter_reasons::text[], :delays_us::bigint[], :by_policy::bool[])
        AS i (id, result, letter_reason, delay_us, is_by_policy)
    CROSS JOIN LATERAL (SELECT * FROM {schema}.job_queue q WHERE q.id = i.id FOR NO KEY UPDATE) q
), ending AS MATERIALIZED (
    SELECT
        d.*,
        CASE d.result WHEN 'RELEASED' THEN d.at WHEN 'RETRY_SCHEDULED' THEN d.at + d.delay_us * interval '1 microsecond' END AS due_at,
        CASE d.result WHEN 'RELEASED' THEN 'LEASE_EXPIRED_BEFORE_RUNNING_PERSISTED' ELSE 'LEASE_EXPIRED' END AS reason
    FROM decided d
), attempt AS (
    INSERT INTO {schema}.job_attempts (
        job_id, leased_at, started_at, finished_at, execution_started_persisted_at, last_heartbeat_at, effective_next_run_at,
        run_number, attempt, lease_seconds, retry_delay_ms, outcome, worker_id, claim_origin, retry_timing_source, error_code, error_message
    )
    SELECT
        id, leased_at, coalesce(execution_started_persisted_at, leased_at), at, execution_started_persisted_at, last_heartbeat_at, due_at,
        run_number, attempt, lease_seconds, CASE WHEN result = 'RETRY_SCHEDULED' THEN least(delay_us / 1000, 2147483647) END,
        CASE WHEN result = 'RELEASED' THEN 'INTERRUPTED' ELSE 'LEASE_EXPIRED' END::{schema}.job_failure_kind, worker_id, claim_origin,
        CASE WHEN result = 'RETRY_SCHEDULED' AND is_by_policy THEN 'POLICY' END,
        CASE WHEN result = 'RELEASED' THEN reason ELSE error_code END, CASE WHEN result <> 'RELEASED' THEN error_message END
    FROM ending
), dead_letter AS (
    INSERT INTO {schema}.job_dead_letters (
        job_id, organization_id, failed_at, run_number, attempt, kind, job_type, reason, error_code, error_message, payload_snapshot,
        checkpoint_snapshot
    )
    SELECT
        id, organization_id, at, run_number, attempt, 'LEASE_EXPIRED', job_type, letter_reason, error_code, error_message, payload,
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
    updated_at = e.at
FROM ending e
WHERE q.id = ANY (ARRAY(SELECT id FROM ending)) AND q.id = e.id
RETURNING q.id, e.lease_id, e.job_type, e.organization_id, e.run_number, e.attempt, e.worker_id, e.result, e.due_at
