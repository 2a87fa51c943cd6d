-- The state of leases that a statement skipped, from the rows as last committed: whether the job is a workflow step, and whether the lease
-- is unexpired. A missing row is a lost lease. OFFSET 0 keeps the planner on the primary key.
SELECT i.lease_id, q.is_step, q.lease_expires_at > clock_timestamp() AS is_live
FROM unnest(:job_ids::uuid[], :lease_ids::uuid[]) AS i (id, lease_id)
CROSS JOIN LATERAL (
    SELECT q.is_step, q.lease_expires_at FROM {schema}.job_queue q WHERE q.id = i.id AND q.lease_id = i.lease_id OFFSET 0
) q
