-- Changes what is given and keeps what is null; a row that would stay the same is not written. Answers with the type if it was changed.
-- Those who wait for work are told of a type whose pause ends: its jobs may be due.
WITH changed AS (
    UPDATE {schema}.job_definitions d
    SET max_attempts = coalesce(c.max_attempts, d.max_attempts), default_priority = coalesce(c.priority, d.default_priority),
        default_timeout_seconds = coalesce(c.timeout_seconds, d.default_timeout_seconds),
        retry_policy = coalesce(c.retry_policy, d.retry_policy), is_enabled = coalesce(c.is_enabled, d.is_enabled),
        is_paused = coalesce(c.is_paused, d.is_paused)
    FROM (SELECT
        ?::int AS max_attempts, ?::int AS timeout_seconds, ?::int AS priority, ?::jsonb AS retry_policy, ?::boolean AS is_enabled,
        ?::boolean AS is_paused
    ) c
    WHERE d.job_type = ? AND (
        c.max_attempts <> d.max_attempts OR c.timeout_seconds <> d.default_timeout_seconds OR c.priority <> d.default_priority
        OR (c.retry_policy IS NOT NULL AND c.retry_policy IS DISTINCT FROM d.retry_policy)
        OR c.is_enabled <> d.is_enabled OR c.is_paused <> d.is_paused
    )
    RETURNING d.job_type, c.is_paused
), signal AS (
    SELECT pg_notify({channel}, 'j:' || job_type) FROM changed WHERE NOT is_paused AND {signals}
)
SELECT changed.job_type FROM changed CROSS JOIN (SELECT count(*) FROM signal) told
