-- The jobs that a worker holds, the running ones first. Reads at most the leases of all workers.
SELECT
    q.id, q.job_type, q.organization_id, q.run_number, q.attempt, q.leased_at, q.execution_started_persisted_at, q.lease_expires_at
FROM {schema}.job_queue q
WHERE q.status = 'LEASED' AND q.worker_id = :worker_id
ORDER BY q.execution_started_persisted_at NULLS LAST, q.leased_at, q.id
LIMIT :limit
