-- The orders that were given, the latest first. Parameter: limit.
SELECT o.* FROM {schema}.worker_orders o ORDER BY o.id DESC LIMIT ?
