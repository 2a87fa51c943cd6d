-- Running jobs that match a selection, in order of lease expiry. Takes no locks. A lease that is renewed in the meantime moves forward in
-- this order, never back. The position to continue after is :after_time (the expiry) and :after_id.
SELECT q.id, q.status, q.run_number, q.lease_expires_at::text AS at
FROM {schema}.job_queue q
WHERE q.status = 'LEASED' AND (q.lease_expires_at, q.id) > (:after_time::timestamptz, :after_id::uuid) AND {scope q} {filters}
ORDER BY q.lease_expires_at, q.id
LIMIT :limit
