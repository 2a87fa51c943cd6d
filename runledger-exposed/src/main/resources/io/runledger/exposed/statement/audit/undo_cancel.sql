-- Requeues the jobs of the given journal lines that are still as the cancellation left them, and had not started in the canceled run. They
-- become due when they would have been. Returns the requeued jobs. Jobs of steps are left out: their step has ended, and its run went on.
WITH line AS MATERIALIZED (
    SELECT j.job_id, j.run_number FROM {schema}.job_journal j WHERE j.id = ANY (:line_ids::bigint[]) AND j.attempt IS NULL
), held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.stage
    FROM {schema}.job_queue q JOIN line l ON l.job_id = q.id AND l.run_number = q.run_number
    WHERE {scope q} AND q.status = 'CANCELED' AND q.attempt = 0 AND NOT q.is_step
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), stamped AS MATERIALIZED (
    SELECT held.*, clock_timestamp() AS at, :reason::text AS reason FROM held
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, stage, payload)
    SELECT
        id, at, run_number, NULL, 'REQUEUED', stage,
        jsonb_build_object('reason', reason, 'requeue_kind', 'UNDO', 'next_run_number', run_number + 1) || {fragment/by_operator}
    FROM stamped
), requeued AS (
    UPDATE {schema}.job_queue q
    SET status = 'PENDING', run_number = s.run_number + 1, status_reason = s.reason, finished_at = NULL, updated_at = s.at
    FROM stamped s
    WHERE q.id = s.id
    RETURNING q.id, q.job_type, q.is_delayed
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type)
    FROM (SELECT DISTINCT job_type FROM requeued WHERE NOT is_delayed) t
    WHERE {signals}
)
SELECT r.id FROM requeued r CROSS JOIN (SELECT count(*) FROM signal) notified
