-- The columns of a lease that an ended attempt leaves empty, for the SET of an UPDATE of job_queue. lease_expires_at is not among them: a
-- canceled job keeps it.
lease_id = NULL, worker_id = NULL, leased_at = NULL, lease_seconds = NULL, claim_origin = NULL, last_heartbeat_at = NULL,
execution_started_persisted_at = NULL
