-- Jobs that gave up and wait for an operator, the latest first. Parameters: scope, cursor (failed at, failed at, job id), limit.
SELECT d.*
FROM {schema}.job_dead_letters d
JOIN {schema}.job_queue q ON q.id = d.job_id AND q.run_number = d.run_number AND q.status = 'DEAD_LETTERED'
WHERE {scope d} AND (?::timestamptz IS NULL OR (d.failed_at, d.job_id) < (?::timestamptz, ?::uuid))
ORDER BY d.failed_at DESC, d.job_id DESC
LIMIT ?
