-- The orders in force, the oldest first.
SELECT o.*, false AS is_over FROM {schema}.worker_orders o
WHERE o.kind = 'DRAIN' AND o.lifted_at IS NULL AND (o.ends_at IS NULL OR o.ends_at > clock_timestamp())
ORDER BY o.id
