-- Gives leases back without using up attempts. Returns one row per lease that was held. A missing row is a lost lease, or a row that
-- another transaction holds. In the caller's transaction SKIP LOCKED is left out.
-- One notification is sent per type, unless the jobs are due later or belong to paused runs.
-- A lease that has expired but was not reaped can still be released: no other worker has the job.
WITH input AS (
    SELECT * FROM unnest(:job_ids::uuid[], :lease_ids::uuid[]) AS i (id, lease_id)
), held AS MATERIALIZED (
    SELECT {fragment/attempt_columns}, q.lease_id
    FROM {schema}.job_queue q JOIN input i ON i.id = q.id
    WHERE q.lease_id = i.lease_id
    ORDER BY q.id
    FOR NO KEY UPDATE OF q SKIP LOCKED
), stamped AS MATERIALIZED (
    SELECT held.*, clock_timestamp() AS at, :reason::text AS reason, :delay_us::bigint * interval '1 microsecond' AS delay FROM held
), ended_attempt AS (
    SELECT
        {fragment/attempt_columns}, q.at, 'INTERRUPTED'::{schema}.job_failure_kind AS outcome, q.at + q.delay AS effective_next_run_at,
        q.reason AS error_code
    FROM stamped q
), attempt AS (
    {fragment/insert_attempt}
), released AS (
    UPDATE {schema}.job_queue q
    SET status = 'PENDING', interruptions = q.interruptions + 1, next_run_at = s.at + s.delay, status_reason = s.reason,
        {fragment/clear_lease}, lease_expires_at = NULL, last_error_code = NULL, last_error_message = NULL, updated_at = s.at
    FROM stamped s
    WHERE q.id = s.id
    RETURNING s.lease_id, s.delay, q.job_type, q.next_run_at, q.is_paused,
        CASE WHEN q.flow_group IS NOT NULL AND {signals} THEN pg_notify({channel}, 'f:')::text END AS freed
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type)
    FROM (SELECT DISTINCT job_type FROM released WHERE delay = interval '0' AND NOT is_paused) t
    WHERE {signals}
)
SELECT r.lease_id, r.next_run_at FROM released r CROSS JOIN (SELECT count(*) FROM signal) notified
