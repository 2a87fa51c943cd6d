-- Puts off an expired job whose ending the database refused. Its lease id is replaced, so the later expiry revives nothing: the worker
-- that held the lease stays fenced off. Parameters: job, delay in microseconds.
WITH expired AS MATERIALIZED (
    SELECT q.id, q.lease_id
    FROM {schema}.job_queue q
    WHERE q.id = ? AND q.status = 'LEASED' AND q.lease_expires_at <= clock_timestamp()
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE {schema}.job_queue q
SET lease_id = gen_random_uuid(), lease_expires_at = clock_timestamp() + ? * interval '1 microsecond', updated_at = now()
FROM expired e
WHERE q.id = e.id
RETURNING q.id, e.lease_id, q.job_type, q.organization_id, q.run_number, q.attempt, q.worker_id, q.lease_expires_at AS due_at
