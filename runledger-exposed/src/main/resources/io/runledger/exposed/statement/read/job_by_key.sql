SELECT q.* FROM {schema}.job_queue q WHERE q.idempotency_key = :idempotency_key AND q.job_type = :job_type AND {scope q}
