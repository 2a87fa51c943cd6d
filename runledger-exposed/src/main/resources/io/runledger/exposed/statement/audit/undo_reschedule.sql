-- Gives the jobs of the given journal lines the time that they had before, if they still wait in the same attempt and have the time that
-- the line gave them. Returns these jobs.
WITH line AS MATERIALIZED (
    SELECT
        j.job_id, j.run_number, coalesce(j.attempt, 0) AS attempt, (j.payload ->> 'next_run_at')::timestamptz AS given_at,
        (j.payload ->> 'previous_next_run_at')::timestamptz AS previous_at
    FROM {schema}.job_journal j WHERE j.id = ANY (:line_ids::bigint[])
), held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt, q.next_run_at, l.previous_at
    FROM {schema}.job_queue q
    JOIN line l ON l.job_id = q.id AND l.run_number = q.run_number AND l.attempt = q.attempt AND l.given_at = q.next_run_at
    WHERE {scope q} AND q.status = 'PENDING' AND NOT q.is_paused
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), stamped AS MATERIALIZED (
    SELECT held.*, clock_timestamp() AS at, :reason::text AS reason FROM held
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, at, run_number, nullif(attempt, 0), 'EDITED',
        jsonb_build_object(
            'reason', reason, 'changed', jsonb_build_array('next_run_at'), 'previous_next_run_at', next_run_at, 'next_run_at', previous_at)
            || {fragment/by_operator}
    FROM stamped
), restored AS (
    UPDATE {schema}.job_queue q SET next_run_at = s.previous_at, updated_at = s.at FROM stamped s WHERE q.id = s.id
    RETURNING q.id, q.job_type, q.is_delayed
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type)
    FROM (SELECT DISTINCT job_type FROM restored WHERE NOT is_delayed) t
    WHERE {signals}
)
SELECT r.id FROM restored r CROSS JOIN (SELECT count(*) FROM signal) notified
