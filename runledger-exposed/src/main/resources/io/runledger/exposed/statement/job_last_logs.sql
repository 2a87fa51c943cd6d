SELECT * FROM (SELECT l.* FROM {schema}.job_logs l WHERE l.job_id = ? ORDER BY l.id DESC LIMIT ?) last ORDER BY id
