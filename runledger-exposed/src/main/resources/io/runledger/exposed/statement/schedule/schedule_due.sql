-- Locks due schedules, the longest due first, or only :only_id if it is not null. Schedules that another scheduler holds are skipped; if it
-- has moved them meanwhile, they are not due here.
-- The clock is read once, in a CTE of its own, so that the index on next_fire_at returns the rows in order.
-- For workflows the statement also returns the due instants that were handled before. Only a schedule that was moved back has any.
WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS database_now)
SELECT
    s.*, (SELECT database_now FROM clock) AS database_now,
    coalesce(q.status IN ('PENDING', 'LEASED'), false) OR coalesce(r.status IN ('RUNNING', 'WAITING_FOR_EXTERNAL'), false) AS is_last_live,
    CASE WHEN s.kind = 'WORKFLOW' THEN (
        SELECT array_agg(extract(epoch FROM f.scheduled_for) * 1000000)::bigint[]
        FROM {schema}.job_schedule_fires f
        WHERE f.schedule_id = s.id AND f.cause = 'CLOCK' AND f.outcome <> 'DEFERRED' AND isfinite(f.scheduled_for)
            AND f.scheduled_for >= coalesce(s.deferred_from, s.next_fire_at)
            AND f.scheduled_for <= (SELECT database_now FROM clock)
    ) END AS handled
FROM {schema}.job_schedules s
LEFT JOIN {schema}.job_queue q ON q.id = s.last_job_id
LEFT JOIN {schema}.workflow_runs r ON r.id = s.last_run_id
WHERE s.is_active AND s.kind IS DISTINCT FROM 'POLL' AND s.next_fire_at <= (SELECT database_now FROM clock)
    AND (:only_id::uuid IS NULL OR s.id = :only_id::uuid)
ORDER BY s.next_fire_at
LIMIT :limit
FOR NO KEY UPDATE OF s SKIP LOCKED
