-- Changes the priority of waiting jobs. Returns a row per waiting job: whether its priority changed. Jobs of paused runs are left out. Rows
-- are locked in id order. No notification: a worker that has a free slot for a due job claims it, whatever its priority.
-- If a job has become due, updated_at moves it among the jobs that are not delayed.
WITH given AS (
    SELECT :priority::int AS priority, :reason::text AS reason
), held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt, q.priority
    FROM {schema}.job_queue q
    WHERE q.id = ANY (:job_ids::uuid[]) AND {scope q} AND q.status = 'PENDING' AND NOT q.is_paused
    {fragment/as_seen}
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), changed AS MATERIALIZED (
    SELECT h.*, g.priority AS new_priority, g.reason FROM held h CROSS JOIN given g WHERE h.priority <> g.priority
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, clock_timestamp(), run_number, nullif(attempt, 0), 'EDITED',
        jsonb_build_object(
            'reason', reason, 'changed', jsonb_build_array('priority'), 'previous_priority', priority, 'priority', new_priority)
            || {fragment/by_operator}
    FROM changed
), reprioritized AS (
    UPDATE {schema}.job_queue q SET priority = c.new_priority, updated_at = now() FROM changed c WHERE q.id = c.id
    RETURNING q.id
)
SELECT h.id, r.id IS NOT NULL AS is_changed FROM held h LEFT JOIN reprioritized r ON r.id = h.id
