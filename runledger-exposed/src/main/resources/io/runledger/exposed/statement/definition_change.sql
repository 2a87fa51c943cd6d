-- Changes what is given and keeps what is null; a row that would stay the same is not written. Answers with the type if it was changed.
-- What code declares goes beside the value that is given, until a reset. Those who wait for work are told of a type whose pause ends:
-- its jobs may be due.
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
        ?::int AS max_attempts, ?::int AS timeout_seconds, ?::int AS priority, ?::jsonb AS retry_policy, ?::boolean AS is_paused
    ) c
    WHERE d.job_type = ? AND (
        c.max_attempts <> d.max_attempts OR c.max_attempts IS NOT NULL AND d.declared_max_attempts IS NULL
        OR c.timeout_seconds <> d.default_timeout_seconds OR c.timeout_seconds IS NOT NULL AND d.declared_timeout_seconds IS NULL
        OR c.priority <> d.default_priority OR c.priority IS NOT NULL AND d.declared_priority IS NULL
        OR c.retry_policy IS NOT NULL AND (c.retry_policy IS DISTINCT FROM d.retry_policy OR d.declared_retry_policy IS NULL)
        OR c.is_paused <> d.is_paused
    )
    RETURNING d.job_type, c.is_paused
), signal AS (
    SELECT pg_notify({channel}, 'j:' || job_type) FROM changed WHERE NOT is_paused AND {signals}
)
SELECT changed.job_type FROM changed CROSS JOIN (SELECT count(*) FROM signal) told
