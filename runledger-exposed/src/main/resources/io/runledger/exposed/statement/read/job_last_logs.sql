SELECT * FROM (SELECT l.* FROM {schema}.job_logs l WHERE l.job_id = :job_id ORDER BY l.id DESC LIMIT :limit) last ORDER BY id
