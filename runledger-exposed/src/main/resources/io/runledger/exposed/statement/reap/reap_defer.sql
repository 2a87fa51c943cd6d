-- Postpones an expired job whose ending the database refused. The lease id is replaced, so that the later expiry does not revive the old
-- lease: the worker that held it stays fenced off.
WITH expired AS MATERIALIZED (
    SELECT q.id, q.lease_id
    FROM {schema}.job_queue q
    WHERE q.id = :job_id AND q.status = 'LEASED' AND q.lease_expires_at <= clock_timestamp()
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE {schema}.job_queue q
SET lease_id = gen_random_uuid(), lease_expires_at = clock_timestamp() + :delay_us * interval '1 microsecond', updated_at = now()
FROM expired e
WHERE q.id = e.id
RETURNING q.id, e.lease_id, q.job_type, q.organization_id, q.run_number, q.attempt, q.worker_id, q.lease_expires_at AS due_at
