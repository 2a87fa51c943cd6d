-- The orders that stand, the first one first.
SELECT o.* FROM {schema}.worker_orders o WHERE o.kind = 'DRAIN' AND o.lifted_at IS NULL ORDER BY o.id
