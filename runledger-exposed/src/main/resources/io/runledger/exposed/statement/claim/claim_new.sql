-- Leases the new job that a notification has named, if it is still pending, due and neither paused nor held by another session. Returns what a
-- claim returns. The job has had no attempt, so the caller knows its lease before the answer: the statement needs no transaction of
-- its own that commits after the row has been read.
UPDATE {schema}.job_queue q
SET status = 'LEASED', attempt = 1, lease_id = :lease_id::uuid, worker_id = :worker, leased_at = statement_timestamp(),
    lease_seconds = :lease_seconds, lease_expires_at = statement_timestamp() + :lease_seconds * interval '1 second',
    last_heartbeat_at = statement_timestamp(), started_at = statement_timestamp(), claim_origin = :origin::text,
    execution_started_persisted_at = NULL, updated_at = statement_timestamp()
FROM {schema}.job_definitions d
WHERE q.id = (
        SELECT n.id FROM {schema}.job_queue n
        WHERE n.id = :id::uuid AND n.job_type = ANY (:job_types::text[]) AND n.status = 'PENDING' AND n.attempt = 0 AND n.run_number = 1
            AND NOT n.is_step AND NOT n.is_paused AND n.flow_group IS NULL AND n.next_run_at <= now()
        FOR NO KEY UPDATE SKIP LOCKED
    )
    AND d.job_type = q.job_type AND NOT d.is_paused
RETURNING q.id, q.job_type, q.organization_id, q.run_number, q.attempt, q.interruptions, q.max_attempts, q.timeout_seconds, q.priority,
    q.payload, q.checkpoint, q.lease_id, q.leased_at, q.lease_expires_at, q.headers, coalesce(q.retry_policy, d.retry_policy) AS retry_policy,
    NULL::timestamptz AS earlier_start,
    CASE WHEN isfinite(q.next_run_at) THEN date_part('epoch', q.leased_at - q.next_run_at) END AS waited, NULL::text AS step_key
