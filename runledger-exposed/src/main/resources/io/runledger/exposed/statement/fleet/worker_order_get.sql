SELECT o.*, o.ends_at <= clock_timestamp() AS is_over FROM {schema}.worker_orders o WHERE o.id = :id
