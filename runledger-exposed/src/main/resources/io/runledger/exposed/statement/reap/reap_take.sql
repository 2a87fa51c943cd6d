-- Locks attempts whose lease has expired, the longest expired first, and returns what decides about each job: jobs of workflow steps if
-- :is_step, else other jobs. If :job_ids is not null, only those jobs are considered.
-- A job whose start is not recorded was claimed ahead, and its handler has not begun or had just begun. It does not spend the attempt, but
-- only a few times: a job that ends its process at once must not do so for ever.
-- The scalar subquery reads the real clock once and allows an index scan. Rows that another session holds are skipped: a renewal or a
-- settlement in progress decides for itself. A lease is never extended after its expiry, so an expired lease stays expired.
WITH expired AS MATERIALIZED (
    SELECT
        q.id, q.job_type, q.attempt, q.interruptions, q.max_attempts, q.retry_policy,
        q.claim_origin = 'WORKER_PRESTART' AND q.execution_started_persisted_at IS NULL AND q.interruptions < 5 AS is_unbegun
    FROM {schema}.job_queue q
    WHERE q.status = 'LEASED' AND q.lease_expires_at <= (SELECT clock_timestamp())
        AND q.is_step = :is_step::bool AND (:job_ids::uuid[] IS NULL OR q.id = ANY (:job_ids::uuid[]))
    ORDER BY q.lease_expires_at
    LIMIT :limit
    FOR NO KEY UPDATE OF q SKIP LOCKED
)
SELECT
    e.id, e.attempt, e.interruptions, e.max_attempts, e.is_unbegun,
    coalesce(e.retry_policy, (SELECT d.retry_policy FROM {schema}.job_definitions d WHERE d.job_type = e.job_type)) AS retry_policy
FROM expired e
