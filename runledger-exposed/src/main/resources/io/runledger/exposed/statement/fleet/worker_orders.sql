-- All orders, the latest first.
SELECT o.*, o.ends_at <= clock_timestamp() AS is_over FROM {schema}.worker_orders o ORDER BY o.id DESC LIMIT :limit
