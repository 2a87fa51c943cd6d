SELECT q.* FROM {schema}.job_queue q WHERE q.id = ? AND {scope q}
