SELECT * FROM (SELECT e.* FROM {schema}.job_events e WHERE e.job_id = ? ORDER BY e.id DESC LIMIT ?) last ORDER BY id
