-- Locks due schedules, the longest due first. What another scheduler holds is left to it; what it has moved meanwhile is not due here.
-- Parameter: how many. The clock is read once, apart, so that the index on next_fire_at gives the rows in order.
WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS database_now)
SELECT s.*, coalesce(q.status IN ('PENDING', 'LEASED'), false) AS is_last_job_live, (SELECT database_now FROM clock) AS database_now
FROM {schema}.job_schedules s
LEFT JOIN {schema}.job_queue q ON q.id = s.last_job_id
WHERE s.is_active AND s.next_fire_at <= (SELECT database_now FROM clock)
ORDER BY s.next_fire_at
LIMIT ?
FOR NO KEY UPDATE OF s SKIP LOCKED
