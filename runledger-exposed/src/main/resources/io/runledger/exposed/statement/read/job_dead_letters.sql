SELECT * FROM (
    SELECT d.*, q.headers
    FROM {schema}.job_dead_letters d LEFT JOIN {schema}.job_queue q ON q.id = d.job_id
    WHERE d.job_id = :job_id ORDER BY d.run_number DESC LIMIT :limit
) last
ORDER BY run_number
