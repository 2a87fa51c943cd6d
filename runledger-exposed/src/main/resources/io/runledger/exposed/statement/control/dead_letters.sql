-- The dead letters of a job, the earliest first.
SELECT d.*
FROM {schema}.job_dead_letters d
WHERE d.job_id = :job_id AND {scope d}
ORDER BY d.run_number
