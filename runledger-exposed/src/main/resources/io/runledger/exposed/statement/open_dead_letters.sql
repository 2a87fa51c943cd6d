-- Jobs that gave up and wait for an operator, the latest first. Parameters: scope, cursor (given up at, job id), limit.
-- The queue knows which letters are open, so those that were requeued are not read.
SELECT d.*, q.finished_at
FROM {schema}.job_queue q
JOIN {schema}.job_dead_letters d ON d.job_id = q.id AND d.run_number = q.run_number
WHERE q.status = 'DEAD_LETTERED' AND {scope q}
    AND (q.finished_at, q.id) < (coalesce(?::timestamptz, 'infinity'), coalesce(?::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
ORDER BY q.finished_at DESC, q.id DESC
LIMIT ?
