-- The last attempts of a job, the oldest first.
SELECT * FROM (
    SELECT a.*
    FROM {schema}.job_attempts a
    WHERE a.job_id = :job_id AND EXISTS (SELECT FROM {schema}.job_queue q WHERE q.id = :job_id AND {scope q})
    ORDER BY a.run_number DESC, a.attempt DESC
    LIMIT :limit
) last
ORDER BY run_number, attempt
