-- The orders that were given, the latest first. Parameter: limit.
SELECT o.*, o.ends_at <= clock_timestamp() AS is_over FROM {schema}.worker_orders o ORDER BY o.id DESC LIMIT ?
