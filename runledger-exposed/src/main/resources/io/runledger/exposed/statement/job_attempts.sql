-- Parameters: job, job, scope, limit. The last attempts, oldest first.
SELECT * FROM (
    SELECT a.*
    FROM {schema}.job_attempts a
    WHERE a.job_id = ? AND EXISTS (SELECT FROM {schema}.job_queue q WHERE q.id = ? AND {scope q})
    ORDER BY a.run_number DESC, a.attempt DESC
    LIMIT ?
) last
ORDER BY run_number, attempt
