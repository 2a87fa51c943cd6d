-- How a job's failures are retried, as the job and as its type say. Parameters: job, scope.
SELECT q.max_attempts, q.retry_policy AS job_policy, d.retry_policy AS type_policy
FROM {schema}.job_queue q
LEFT JOIN {schema}.job_definitions d ON d.job_type = q.job_type
WHERE q.id = ? AND {scope q}
