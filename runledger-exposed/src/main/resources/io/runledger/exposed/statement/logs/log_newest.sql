SELECT l.id, l.job_id, l.run_number, l.attempt, l.level, l.message, l.payload, l.occurred_at
FROM {schema}.job_logs l JOIN {schema}.job_queue q ON q.id = l.job_id
WHERE l.job_id = :job_id AND l.id < :cursor AND {scope q}
ORDER BY l.id DESC
LIMIT :limit
