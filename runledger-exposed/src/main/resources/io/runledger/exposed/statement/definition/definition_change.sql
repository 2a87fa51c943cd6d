-- Changes the given values and keeps those whose parameter is null. An unchanged row is not written. Returns the type if it was changed.
-- The declared value is kept beside the given one until a reset. If a pause ends, the workers that wait for jobs are notified: jobs of the
-- type may be due.
WITH changed AS (
    UPDATE {schema}.job_definitions d
    SET max_attempts = coalesce(c.max_attempts, d.max_attempts),
        declared_max_attempts = CASE
            WHEN c.max_attempts IS NULL THEN d.declared_max_attempts ELSE coalesce(d.declared_max_attempts, d.max_attempts)
        END,
        default_timeout_seconds = coalesce(c.timeout_seconds, d.default_timeout_seconds),
        declared_timeout_seconds = CASE
            WHEN c.timeout_seconds IS NULL THEN d.declared_timeout_seconds
            ELSE coalesce(d.declared_timeout_seconds, d.default_timeout_seconds)
        END,
        default_priority = coalesce(c.priority, d.default_priority),
        declared_priority = CASE
            WHEN c.priority IS NULL THEN d.declared_priority ELSE coalesce(d.declared_priority, d.default_priority)
        END,
        retry_policy = coalesce(c.retry_policy, d.retry_policy),
        declared_retry_policy = CASE
            WHEN c.retry_policy IS NULL THEN d.declared_retry_policy ELSE coalesce(d.declared_retry_policy, d.retry_policy, 'null')
        END,
        is_paused = coalesce(c.is_paused, d.is_paused)
    FROM (SELECT
        :max_attempts::int AS max_attempts, :timeout_seconds::int AS timeout_seconds, :priority::int AS priority,
        :retry_policy::jsonb AS retry_policy, :is_paused::boolean AS is_paused
    ) c
    WHERE d.job_type = :job_type AND (
        c.max_attempts <> d.max_attempts OR c.max_attempts IS NOT NULL AND d.declared_max_attempts IS NULL
        OR c.timeout_seconds <> d.default_timeout_seconds OR c.timeout_seconds IS NOT NULL AND d.declared_timeout_seconds IS NULL
        OR c.priority <> d.default_priority OR c.priority IS NOT NULL AND d.declared_priority IS NULL
        OR c.retry_policy IS NOT NULL AND (c.retry_policy IS DISTINCT FROM d.retry_policy OR d.declared_retry_policy IS NULL)
        OR c.is_paused <> d.is_paused
    )
    RETURNING d.job_type, c.is_paused
), signal AS (
    SELECT pg_notify({channel}, CASE WHEN is_paused THEN 'p:' ELSE 'j:' END || job_type)
    FROM changed WHERE is_paused IS NOT NULL AND {signals}
)
SELECT changed.job_type FROM changed CROSS JOIN (SELECT count(*) FROM signal) sent
