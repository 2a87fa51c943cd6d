SELECT e.*
FROM {schema}.job_events e
WHERE e.job_id = :job_id AND EXISTS (SELECT FROM {schema}.job_queue q WHERE q.id = :job_id AND {scope q}) AND e.id > :after
ORDER BY e.id
LIMIT :limit
