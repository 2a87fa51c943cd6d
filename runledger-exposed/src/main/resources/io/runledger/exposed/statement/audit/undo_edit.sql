-- Gives the jobs of the given journal lines the payload that they had before, if no attempt began since and no later edit replaced the
-- payload again. Returns these jobs. Jobs of steps are left out: their step has a payload of its own.
WITH line AS MATERIALIZED (
    SELECT j.id AS line_id, j.job_id, j.run_number, coalesce(j.attempt, 0) AS attempt, j.payload -> 'previous_payload' AS previous_payload
    FROM {schema}.job_journal j WHERE j.id = ANY (:line_ids::bigint[])
), held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt, q.payload, l.line_id, l.previous_payload, :reason::text AS reason
    FROM {schema}.job_queue q JOIN line l ON l.job_id = q.id AND l.run_number = q.run_number AND l.attempt = q.attempt
    WHERE {scope q} AND q.status IN ('PENDING', 'DEAD_LETTERED', 'CANCELED') AND NOT q.is_step
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), unedited AS MATERIALIZED (
    SELECT h.* FROM held h
    WHERE NOT EXISTS (
        SELECT FROM {schema}.job_journal l
        WHERE l.job_id = h.id AND l.id > h.line_id AND l.event_type = 'EDITED' AND l.payload @> '{"changed": ["payload"]}'
    )
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, clock_timestamp(), run_number, nullif(attempt, 0), 'EDITED',
        jsonb_build_object('reason', reason, 'changed', jsonb_build_array('payload'), 'previous_payload', payload)
            || {fragment/by_operator}
    FROM unedited
)
UPDATE {schema}.job_queue q SET payload = u.previous_payload, updated_at = now() FROM unedited u WHERE q.id = u.id
RETURNING q.id
