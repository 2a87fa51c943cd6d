-- The columns of a leased job that insert_attempt reads. The including statement has them in q: the job's row, or a relation with its
-- values from before the lease ends.
q.id, q.run_number, q.attempt, q.worker_id, q.leased_at, q.lease_seconds, q.claim_origin, q.execution_started_persisted_at
