-- Puts waiting jobs off by a duration: from the time at which they are due, or from now if they are due already. Returns a row per waiting
-- job: whether its time changed. Otherwise as control/reschedule. No notification: no job becomes due.
-- In a walk through a selection, a job that was put off may appear again. :before is the start of the walk: a job that has changed since is
-- left out.
WITH given AS (
    SELECT :by_us::bigint * interval '1 microsecond' AS by, :reason::text AS reason
), held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt, q.next_run_at
    FROM {schema}.job_queue q
    WHERE q.id = ANY (:job_ids::uuid[]) AND {scope q} AND q.status = 'PENDING' AND NOT q.is_paused
    {fragment/as_seen}
        AND (:before::timestamptz IS NULL OR q.updated_at <= :before)
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), stamp AS MATERIALIZED (
    SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM held) locked
), stamped AS MATERIALIZED (
    SELECT h.*, stamp.at, greatest(h.next_run_at, stamp.at) + g.by AS due_at, g.reason FROM held h CROSS JOIN given g CROSS JOIN stamp
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, at, run_number, nullif(attempt, 0), 'EDITED',
        jsonb_build_object(
            'reason', reason, 'changed', jsonb_build_array('next_run_at'), 'previous_next_run_at', next_run_at, 'next_run_at', due_at)
            || {fragment/by_operator}
    FROM stamped
    WHERE due_at <> next_run_at
), snoozed AS (
    UPDATE {schema}.job_queue q SET next_run_at = s.due_at, updated_at = s.at
    FROM stamped s
    WHERE q.id = s.id AND s.due_at <> s.next_run_at
    RETURNING q.id
)
SELECT h.id, s.id IS NOT NULL AS is_changed FROM held h LEFT JOIN snoozed s ON s.id = h.id
