SELECT * FROM (
    SELECT d.* FROM {schema}.job_dead_letters d WHERE d.job_id = :job_id ORDER BY d.run_number DESC LIMIT :limit
) last
ORDER BY run_number
