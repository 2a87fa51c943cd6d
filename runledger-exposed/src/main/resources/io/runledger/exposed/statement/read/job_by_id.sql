SELECT q.* FROM {schema}.job_queue q WHERE q.id = :job_id AND {scope q}
