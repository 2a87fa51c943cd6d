-- Records once per attempt that its handler ignored the timeout, and until when the worker waits for it. Returns the event of the attempt,
-- new or existing, or no row if the lease is not held or the job cannot be locked at once.
-- KEY SHARE with SKIP LOCKED, because the transaction of the handler may hold the row.
WITH held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt
    FROM {schema}.job_queue q
    WHERE q.id = :job_id AND q.lease_id = :lease_id AND q.status = 'LEASED'
    FOR KEY SHARE OF q SKIP LOCKED
), known AS MATERIALIZED (
    SELECT j.id FROM held h JOIN {schema}.job_journal j ON j.job_id = h.id AND j.run_number = h.run_number AND j.attempt = h.attempt
    WHERE j.event_type = 'TIMEOUT_IGNORED'
), noted AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        h.id, stamp.at, h.run_number, h.attempt, 'TIMEOUT_IGNORED',
        jsonb_build_object('waits_until', stamp.at + :overtime_us::bigint * interval '1 microsecond')
    FROM held h CROSS JOIN (SELECT clock_timestamp() AS at) stamp
    WHERE NOT EXISTS (SELECT FROM known)
    RETURNING id
)
SELECT id FROM known UNION ALL SELECT id FROM noted
