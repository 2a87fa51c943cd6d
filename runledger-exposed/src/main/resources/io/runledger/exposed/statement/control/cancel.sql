-- Cancels jobs. Returns one row per job in the scope: whether it was canceled, and the time by which its handler has noticed.
-- Rows are locked in id order and read under the lock. lease_expires_at keeps the end of the lease: by then the handler has noticed. Each
-- worker that runs one of the jobs gets a notification. A null error code and message keep the last error of each job.
WITH held AS MATERIALIZED (
    SELECT {fragment/attempt_columns}, q.status, q.lease_expires_at
    FROM {schema}.job_queue q
    WHERE q.id = ANY (:job_ids::uuid[]) AND {scope q} AND q.status = ANY (:statuses::text[]::{schema}.job_status[])
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), ending AS MATERIALIZED (
    SELECT
        held.*, clock_timestamp() AS at, :reason::text AS reason, :error_code::text AS error_code, :error_message::text AS error_message
    FROM held
), ended_attempt AS (
    SELECT {fragment/attempt_columns}, q.at, 'CANCELED'::{schema}.job_failure_kind AS outcome FROM ending q WHERE q.status = 'LEASED'
), attempt AS (
    {fragment/insert_attempt}
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, at, run_number, nullif(attempt, 0), 'CANCELED',
        jsonb_build_object('reason', reason)
            || CASE WHEN status = 'LEASED' THEN jsonb_build_object('lease_quiesces_at', lease_expires_at) ELSE '{}' END
            || {fragment/by_operator}
    FROM ending
), signal AS (
    SELECT pg_notify({channel}, 'c:' || id) FROM ending WHERE status = 'LEASED' AND {signals}
), canceled AS (
    UPDATE {schema}.job_queue q
    SET status = 'CANCELED', status_reason = ending.reason, finished_at = ending.at, output = NULL,
        last_error_code = coalesce(ending.error_code, q.last_error_code),
        last_error_message = CASE WHEN ending.error_code IS NULL AND ending.error_message IS NULL THEN q.last_error_message
            ELSE ending.error_message END,
        {fragment/clear_lease}, lease_expires_at = ending.lease_expires_at, updated_at = now()
    FROM ending
    WHERE q.id = ending.id
    RETURNING q.id, q.lease_expires_at,
        CASE WHEN q.flow_group IS NOT NULL AND {signals} THEN pg_notify({channel}, 'f:')::text END AS freed
)
SELECT q.id, c.id IS NOT NULL AS is_canceled, c.lease_expires_at
FROM {schema}.job_queue q LEFT JOIN canceled c ON c.id = q.id CROSS JOIN (SELECT count(*) FROM signal) notified
WHERE q.id = ANY (:job_ids::uuid[]) AND {scope q}
