-- The equivalent of succeed for servers before PostgreSQL 18, where RETURNING cannot refer to the replaced row version.
-- The values of the attempt are read under the lock, because the update clears them. A row that another transaction holds is skipped; in
-- the caller's transaction SKIP LOCKED is left out. LATERAL keeps the planner on the primary key.
WITH held AS MATERIALIZED (
    SELECT i.output, q.*, clock_timestamp() AS at
    FROM (SELECT * FROM unnest(:job_ids::uuid[], :lease_ids::uuid[], :outputs::text[]) AS i (id, lease_id, output) ORDER BY id) i
    CROSS JOIN LATERAL (
        SELECT
            q.id, q.lease_id, q.run_number, q.attempt, q.worker_id, q.leased_at, q.lease_seconds, q.claim_origin,
            q.execution_started_persisted_at
        FROM {schema}.job_queue q
        WHERE q.id = i.id AND q.lease_id = i.lease_id AND q.is_step = :is_step::bool
        FOR NO KEY UPDATE SKIP LOCKED
    ) q
), ended AS (
    UPDATE {schema}.job_queue q
    SET status = 'SUCCEEDED', stage = 'completed', finished_at = held.at, output = held.output::jsonb, status_reason = NULL,
        last_error_code = NULL, last_error_message = NULL, lease_id = NULL, worker_id = NULL, leased_at = NULL, lease_seconds = NULL,
        claim_origin = NULL, lease_expires_at = NULL, last_heartbeat_at = NULL, execution_started_persisted_at = NULL, updated_at = now()
    FROM held
    WHERE q.id = held.id AND q.lease_id = held.lease_id AND q.lease_expires_at > clock_timestamp()
    RETURNING
        held.id, held.lease_id, held.run_number, held.attempt, held.worker_id, held.leased_at, held.lease_seconds, held.claim_origin,
        held.execution_started_persisted_at, held.at
), attempt AS (
    INSERT INTO {schema}.job_attempts (
        job_id, leased_at, started_at, finished_at, execution_started_persisted_at, run_number, attempt, lease_seconds, outcome,
        worker_id, claim_origin
    )
    SELECT
        id, leased_at, coalesce(execution_started_persisted_at, leased_at), at, execution_started_persisted_at, run_number, attempt,
        lease_seconds, 'SUCCEEDED', worker_id, claim_origin
    FROM ended
)
SELECT lease_id FROM ended
