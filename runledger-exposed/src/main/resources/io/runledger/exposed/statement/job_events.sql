-- Parameters: job, job, scope, after, limit.
SELECT e.*
FROM {schema}.job_events e
WHERE e.job_id = ? AND EXISTS (SELECT FROM {schema}.job_queue q WHERE q.id = ? AND {scope q}) AND e.id > ?
ORDER BY e.id
LIMIT ?
