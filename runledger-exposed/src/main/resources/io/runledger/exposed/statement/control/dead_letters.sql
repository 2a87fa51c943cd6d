-- A page of the dead letters of a job, the earliest first, after the run :after_run.
SELECT d.*, q.headers
FROM {schema}.job_dead_letters d
LEFT JOIN {schema}.job_queue q ON q.id = d.job_id
WHERE d.job_id = :job_id AND {scope d} AND d.run_number > :after_run::bigint
ORDER BY d.run_number
LIMIT :limit
