-- A page of all orders, the latest first, after the order :after_id if it is not null.
SELECT o.*, o.ends_at <= clock_timestamp() AS is_over
FROM {schema}.worker_orders o
WHERE o.id < coalesce(:after_id::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY o.id DESC
LIMIT :limit
