-- Changes the time from which waiting jobs are due. Returns a row per waiting job: whether its time changed. A null :at means now, and so
-- does a time in the past: a job that is due stays as it is, because its place among the due jobs follows from its time.
-- Jobs of paused runs are left out: their run decides when they can start. Rows are locked in id order. One notification is sent per type
-- of the jobs that became due.
WITH given AS (
    SELECT :at::timestamptz AS at, :reason::text AS reason
), held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt, q.next_run_at
    FROM {schema}.job_queue q
    WHERE q.id = ANY (:job_ids::uuid[]) AND {scope q} AND q.status = 'PENDING' AND NOT q.is_paused
    {fragment/as_seen}
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), stamp AS MATERIALIZED (
    SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM held) locked
), changed AS MATERIALIZED (
    SELECT h.*, stamp.at, greatest(g.at, stamp.at) AS due_at, g.reason
    FROM held h CROSS JOIN given g CROSS JOIN stamp
    WHERE h.next_run_at <> g.at AND g.at > stamp.at OR h.next_run_at > stamp.at AND (g.at > stamp.at) IS NOT TRUE
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, at, run_number, nullif(attempt, 0), 'EDITED',
        jsonb_build_object(
            'reason', reason, 'changed', jsonb_build_array('next_run_at'), 'previous_next_run_at', next_run_at, 'next_run_at', due_at)
            || {fragment/by_operator}
    FROM changed
), rescheduled AS (
    UPDATE {schema}.job_queue q SET next_run_at = c.due_at, updated_at = c.at
    FROM changed c
    WHERE q.id = c.id
    RETURNING q.id, q.job_type, q.is_delayed
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type)
    FROM (SELECT DISTINCT job_type FROM rescheduled WHERE NOT is_delayed) t
    WHERE {signals}
)
SELECT h.id, r.id IS NOT NULL AS is_changed
FROM held h LEFT JOIN rescheduled r ON r.id = h.id CROSS JOIN (SELECT count(*) FROM signal) notified
