-- Starts another run of each job that has the expected status and run number. Returns one row per requeued job. One notification is sent
-- per type.
-- Only the jobs to requeue are locked, in id order, so that the lease renewal of a running job is not delayed.
WITH input AS (
    SELECT * FROM unnest(:job_ids::uuid[], :expected_statuses::text[], :expected_runs::int[], :kept_states::text[], :reasons::text[])
        AS i (id, status, run_number, keep, reason)
), held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt, i.keep, i.reason
    FROM {schema}.job_queue q JOIN input i ON i.id = q.id
    WHERE {scope q} AND q.status = i.status::{schema}.job_status AND q.run_number = i.run_number
        AND (q.status <> 'CANCELED' OR q.lease_expires_at IS NULL OR q.lease_expires_at <= clock_timestamp())
        AND NOT q.is_step
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), stamped AS MATERIALIZED (
    SELECT held.*, clock_timestamp() AS at, held.keep LIKE 'preserve%' AS is_kept FROM held
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, stage, payload)
    SELECT
        id, at, run_number, nullif(attempt, 0), 'REQUEUED', 'queued',
        jsonb_build_object(
            'reason', reason, 'requeue_kind', 'COMPARE_AND_REQUEUE', 'state_policy', keep, 'next_run_number', run_number + 1)
            || {fragment/by_operator}
    FROM stamped
), requeued AS (
    UPDATE {schema}.job_queue q
    SET status = 'PENDING', run_number = s.run_number + 1, attempt = 0, interruptions = 0, stage = 'queued', next_run_at = s.at,
        progress_done = CASE WHEN s.is_kept THEN q.progress_done END, progress_total = CASE WHEN s.is_kept THEN q.progress_total END,
        checkpoint = CASE WHEN s.is_kept THEN q.checkpoint END, output = NULL, status_reason = s.reason, last_error_code = NULL,
        last_error_message = NULL, lease_expires_at = NULL, last_heartbeat_at = NULL, started_at = NULL, finished_at = NULL,
        updated_at = s.at
    FROM stamped s
    WHERE q.id = s.id
    RETURNING q.id, q.job_type, q.run_number, q.next_run_at
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type) FROM (SELECT DISTINCT job_type FROM requeued) t WHERE {signals}
)
SELECT r.id, r.run_number, r.next_run_at FROM requeued r CROSS JOIN (SELECT count(*) FROM signal) notified
