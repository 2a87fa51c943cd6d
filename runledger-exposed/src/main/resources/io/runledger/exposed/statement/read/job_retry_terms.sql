-- The retry policies of a job and of its type.
SELECT q.max_attempts, q.retry_policy AS job_policy, d.retry_policy AS type_policy
FROM {schema}.job_queue q
LEFT JOIN {schema}.job_definitions d ON d.job_type = q.job_type
WHERE q.id = :job_id AND {scope q}
