-- The queue, limits, order and share of a job.
SELECT q.queue, q.limit_keys, q.order_key, q.holds_order, q.share_key
FROM {schema}.job_queue q
WHERE q.id = :job_id AND {scope q}
