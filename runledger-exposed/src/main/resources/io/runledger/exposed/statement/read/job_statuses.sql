SELECT q.id, q.status FROM {schema}.job_queue q WHERE q.id = ANY (:job_ids::uuid[]) AND {scope q} ORDER BY q.id
