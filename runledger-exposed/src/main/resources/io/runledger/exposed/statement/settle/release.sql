-- Gives leases back without using up attempts. Returns one row per lease that was held. A missing row is a lost lease, or a row that
-- another transaction holds. In the caller's transaction SKIP LOCKED is left out.
-- One notification is sent per type, unless the jobs are due later or belong to paused runs.
-- A lease that has expired but was not reaped can still be released: no other worker has the job.
WITH input AS (
    SELECT * FROM unnest(:job_ids::uuid[], :lease_ids::uuid[]) AS i (id, lease_id)
), held AS MATERIALIZED (
    SELECT
        q.id, q.lease_id, q.run_number, q.attempt, q.worker_id, q.leased_at, q.lease_seconds, q.claim_origin,
        q.execution_started_persisted_at, q.is_step
    FROM {schema}.job_queue q JOIN input i ON i.id = q.id
    WHERE q.lease_id = i.lease_id
    ORDER BY q.id
    FOR NO KEY UPDATE OF q SKIP LOCKED
), stamped AS MATERIALIZED (
    SELECT held.*, clock_timestamp() AS at, :reason::text AS reason, :delay_us::bigint * interval '1 microsecond' AS delay FROM held
), attempt AS (
    INSERT INTO {schema}.job_attempts (
        job_id, leased_at, started_at, finished_at, execution_started_persisted_at, effective_next_run_at, run_number, attempt,
        lease_seconds, outcome, worker_id, claim_origin, error_code
    )
    SELECT
        id, leased_at, coalesce(execution_started_persisted_at, leased_at), at, execution_started_persisted_at, at + delay, run_number,
        attempt, lease_seconds, 'INTERRUPTED', worker_id, claim_origin, reason
    FROM stamped
), step AS (
    UPDATE {schema}.workflow_steps w
    SET status = 'ENQUEUED', status_reason = (SELECT reason FROM stamped LIMIT 1), last_error_code = NULL, last_error_message = NULL,
        updated_at = now()
    WHERE w.job_id = ANY (ARRAY(SELECT id FROM stamped WHERE is_step)) AND w.status = 'RUNNING'
), released AS (
    UPDATE {schema}.job_queue q
    SET status = 'PENDING', interruptions = q.interruptions + 1, next_run_at = s.at + s.delay, status_reason = s.reason,
        lease_id = NULL, worker_id = NULL, leased_at = NULL, lease_seconds = NULL, claim_origin = NULL, lease_expires_at = NULL,
        last_heartbeat_at = NULL, execution_started_persisted_at = NULL, last_error_code = NULL, last_error_message = NULL,
        updated_at = s.at
    FROM stamped s
    WHERE q.id = s.id
    RETURNING s.lease_id, s.delay, q.job_type, q.next_run_at, q.is_paused
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type)
    FROM (SELECT DISTINCT job_type FROM released WHERE delay = interval '0' AND NOT is_paused) t
    WHERE {signals}
)
SELECT r.lease_id, r.next_run_at FROM released r CROSS JOIN (SELECT count(*) FROM signal) notified
