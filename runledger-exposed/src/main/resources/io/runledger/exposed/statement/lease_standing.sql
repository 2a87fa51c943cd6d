-- Says of leases that a statement passed over how they stand in rows as last committed: whether the job is a step of a workflow and
-- whether the lease has not run out. A missing row is a lost lease. OFFSET 0 keeps the planner to the primary key.
SELECT i.lease_id, q.is_step, q.lease_expires_at > clock_timestamp() AS is_live
FROM unnest(?::uuid[], ?::uuid[]) AS i (id, lease_id)
CROSS JOIN LATERAL (
    SELECT q.is_step, q.lease_expires_at FROM {schema}.job_queue q WHERE q.id = i.id AND q.lease_id = i.lease_id OFFSET 0
) q
