INSERT INTO {schema}.share_weights AS s (job_type, share_key, weight) VALUES (:job_type, :share_key, :weight)
ON CONFLICT (job_type, share_key) DO UPDATE SET weight = excluded.weight WHERE s.weight <> excluded.weight
