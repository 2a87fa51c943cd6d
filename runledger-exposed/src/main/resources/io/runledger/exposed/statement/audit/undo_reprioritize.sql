-- Gives the jobs of the given journal lines the priority that they had before, if they still wait in the same attempt and have the priority
-- that the line gave them. Returns these jobs.
WITH line AS MATERIALIZED (
    SELECT
        j.job_id, j.run_number, coalesce(j.attempt, 0) AS attempt, (j.payload ->> 'priority')::int AS given_priority,
        (j.payload ->> 'previous_priority')::int AS previous_priority
    FROM {schema}.job_journal j WHERE j.id = ANY (:line_ids::bigint[])
), held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt, q.priority, l.previous_priority, :reason::text AS reason
    FROM {schema}.job_queue q
    JOIN line l ON l.job_id = q.id AND l.run_number = q.run_number AND l.attempt = q.attempt AND l.given_priority = q.priority
    WHERE {scope q} AND q.status = 'PENDING' AND NOT q.is_paused
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, clock_timestamp(), run_number, nullif(attempt, 0), 'EDITED',
        jsonb_build_object(
            'reason', reason, 'changed', jsonb_build_array('priority'), 'previous_priority', priority, 'priority', previous_priority)
            || {fragment/by_operator}
    FROM held
)
UPDATE {schema}.job_queue q SET priority = h.previous_priority, updated_at = now() FROM held h WHERE q.id = h.id
RETURNING q.id
