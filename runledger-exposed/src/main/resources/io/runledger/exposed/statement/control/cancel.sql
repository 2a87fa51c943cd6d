-- Cancels jobs. Returns one row per job in the scope: whether it was canceled, and the time by which its handler has noticed.
-- Rows are locked in id order and read under the lock. lease_expires_at keeps the end of the lease: by then the handler has noticed. Each
-- worker that runs one of the jobs gets a notification.
WITH held AS MATERIALIZED (
    SELECT
        q.id, q.status, q.run_number, q.attempt, q.worker_id, q.leased_at, q.lease_seconds, q.claim_origin, q.lease_expires_at,
        q.execution_started_persisted_at
    FROM {schema}.job_queue q
    WHERE q.id = ANY (:job_ids::uuid[]) AND {scope q} AND q.status = ANY (:statuses::text[]::{schema}.job_status[])
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), ending AS MATERIALIZED (
    SELECT held.*, clock_timestamp() AS at, :reason::text AS reason FROM held
), attempt AS (
    INSERT INTO {schema}.job_attempts (
        job_id, leased_at, started_at, finished_at, execution_started_persisted_at, run_number, attempt, lease_seconds, outcome,
        worker_id, claim_origin
    )
    SELECT
        id, leased_at, coalesce(execution_started_persisted_at, leased_at), at, execution_started_persisted_at, run_number, attempt,
        lease_seconds, 'CANCELED', worker_id, claim_origin
    FROM ending WHERE status = 'LEASED'
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, at, run_number, nullif(attempt, 0), 'CANCELED',
        jsonb_build_object('reason', reason)
            || CASE WHEN status = 'LEASED' THEN jsonb_build_object('lease_quiesces_at', lease_expires_at) ELSE '{}' END
    FROM ending
), signal AS (
    SELECT pg_notify({channel}, 'c:' || id) FROM ending WHERE status = 'LEASED' AND {signals}
), canceled AS (
    UPDATE {schema}.job_queue q
    SET status = 'CANCELED', status_reason = ending.reason, finished_at = ending.at, output = NULL,
        lease_expires_at = ending.lease_expires_at, lease_id = NULL, worker_id = NULL, leased_at = NULL, lease_seconds = NULL,
        claim_origin = NULL, last_heartbeat_at = NULL, execution_started_persisted_at = NULL, updated_at = now()
    FROM ending
    WHERE q.id = ending.id
    RETURNING q.id, q.lease_expires_at
)
SELECT q.id, c.id IS NOT NULL AS is_canceled, c.lease_expires_at
FROM {schema}.job_queue q LEFT JOIN canceled c ON c.id = q.id CROSS JOIN (SELECT count(*) FROM signal) notified
WHERE q.id = ANY (:job_ids::uuid[]) AND {scope q}
