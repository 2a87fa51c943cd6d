-- Every time a job gave up, the first one first. Parameters: job id, scope.
SELECT d.*
FROM {schema}.job_dead_letters d
WHERE d.job_id = ? AND {scope d}
ORDER BY d.run_number
