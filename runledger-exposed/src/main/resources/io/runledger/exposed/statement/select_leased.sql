-- Jobs that run and match a selection, by the end of their lease. Locks nothing. A lease that is renewed meanwhile moves ahead, never
-- back. Parameters: position to continue after (end of the lease, id), scope, {filters}, limit.
SELECT q.id, q.status, q.run_number, q.lease_expires_at::text AS at
FROM {schema}.job_queue q
WHERE q.status = 'LEASED' AND (q.lease_expires_at, q.id) > (?::timestamptz, ?::uuid) AND {scope q} {filters}
ORDER BY q.lease_expires_at, q.id
LIMIT ?
