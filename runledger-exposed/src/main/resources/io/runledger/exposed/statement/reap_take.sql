-- Locks attempts whose lease ran out, the longest expired first, and tells what decides about each job.
-- Parameters: whether jobs of workflow steps are meant or jobs of their own, the jobs that may be ended (twice; null for all), limit.
-- The scalar subquery reads the real clock once and lets the index do the search. Rows that somebody holds are skipped: a renewal or
-- a settlement that is under way decides for itself. A lease is never made longer, so what has expired stays expired.
WITH expired AS MATERIALIZED (
    SELECT
        q.id, q.job_type, q.attempt, q.interruptions, q.max_attempts, q.retry_policy,
        q.claim_origin = 'WORKER_PRESTART' AND q.execution_started_persisted_at IS NULL AS is_unbegun
    FROM {schema}.job_queue q
    WHERE q.status = 'LEASED' AND q.lease_expires_at <= (SELECT clock_timestamp())
        AND q.is_step = ?::bool AND (?::uuid[] IS NULL OR q.id = ANY (?::uuid[]))
    ORDER BY q.lease_expires_at
    LIMIT ?
    FOR NO KEY UPDATE OF q SKIP LOCKED
)
SELECT
    e.id, e.attempt, e.interruptions, e.max_attempts, e.is_unbegun,
    coalesce(e.retry_policy, (SELECT d.retry_policy FROM {schema}.job_definitions d WHERE d.job_type = e.job_type)) AS retry_policy
FROM expired e
