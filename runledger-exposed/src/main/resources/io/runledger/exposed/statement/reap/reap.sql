-- Ends attempts whose lease has expired and that are locked, as decided, and returns the result for each job. :by_policy says whether a
-- retry policy chose the delay. Every row is found by its primary key: LATERAL and a lock, which is already held, keep the planner to that,
-- and at the end ARRAY does.
WITH decided AS MATERIALIZED (
    SELECT
        {fragment/attempt_columns}, i.result, i.letter_reason, i.delay_us, i.is_by_policy, q.lease_id, q.job_type, q.organization_id,
        q.last_heartbeat_at, q.payload, q.checkpoint, clock_timestamp() AS at, :error_code::text AS error_code,
        :error_message::text AS error_message
    FROM unnest(:job_ids::uuid[], :results::text[], :letter_reasons::text[], :delays_us::bigint[], :by_policy::bool[])
        AS i (id, result, letter_reason, delay_us, is_by_policy)
    CROSS JOIN LATERAL (SELECT * FROM {schema}.job_queue q WHERE q.id = i.id FOR NO KEY UPDATE) q
), ending AS MATERIALIZED (
    SELECT
        d.*,
        CASE d.result WHEN 'RELEASED' THEN d.at WHEN 'RETRY_SCHEDULED' THEN d.at + d.delay_us * interval '1 microsecond' END AS due_at,
        CASE d.result WHEN 'RELEASED' THEN 'LEASE_EXPIRED_BEFORE_RUNNING_PERSISTED' ELSE 'LEASE_EXPIRED' END AS reason
    FROM decided d
), ended_attempt AS (
    SELECT
        {fragment/attempt_columns}, q.at,
        CASE WHEN q.result = 'RELEASED' THEN 'INTERRUPTED' ELSE 'LEASE_EXPIRED' END::{schema}.job_failure_kind AS outcome,
        q.last_heartbeat_at, q.due_at AS effective_next_run_at,
        CASE WHEN q.result = 'RETRY_SCHEDULED' THEN least(q.delay_us / 1000, 2147483647) END AS retry_delay_ms,
        CASE WHEN q.result = 'RETRY_SCHEDULED' AND q.is_by_policy THEN 'POLICY' END AS retry_timing_source,
        CASE WHEN q.result = 'RELEASED' THEN q.reason ELSE q.error_code END AS error_code,
        CASE WHEN q.result <> 'RELEASED' THEN q.error_message END AS error_message
    FROM ending q
), attempt AS (
    {fragment/insert_attempt}
), given_up AS (
    SELECT
        id, organization_id, at, run_number, attempt, 'LEASE_EXPIRED'::{schema}.job_failure_kind AS kind, job_type,
        letter_reason AS reason, error_code, error_message, payload, checkpoint
    FROM ending WHERE result = 'DEAD_LETTERED'
),
{fragment/insert_dead_letters}
UPDATE {schema}.job_queue q
SET status = CASE e.result WHEN 'DEAD_LETTERED' THEN 'DEAD_LETTERED' ELSE 'PENDING' END::{schema}.job_status,
    interruptions = CASE e.result WHEN 'RELEASED' THEN q.interruptions + 1 ELSE q.interruptions END,
    next_run_at = coalesce(e.due_at, q.next_run_at), finished_at = CASE WHEN e.result = 'DEAD_LETTERED' THEN e.at END,
    {fragment/clear_lease}, lease_expires_at = NULL, status_reason = e.reason,
    last_error_code = CASE WHEN e.result <> 'RELEASED' THEN e.error_code END,
    last_error_message = CASE WHEN e.result <> 'RELEASED' THEN e.error_message END,
    updated_at = e.at
FROM ending e
WHERE q.id = ANY (ARRAY(SELECT id FROM ending)) AND q.id = e.id
RETURNING q.id, e.lease_id, e.job_type, e.organization_id, e.run_number, e.attempt, e.worker_id, e.result, e.due_at,
    CASE WHEN q.flow_group IS NOT NULL AND {signals} THEN pg_notify({channel}, 'f:')::text END AS freed
