SELECT * FROM (SELECT e.* FROM {schema}.job_events e WHERE e.job_id = :job_id ORDER BY e.id DESC LIMIT :limit) last ORDER BY id
