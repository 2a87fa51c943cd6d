-- Writes declared job types: inserts the new ones, updates those that differ, leaves the others as they are. Answers with the
-- rows written. Parameters: one array per column, then twice whether a type that is enabled in code is enabled again.
-- A row that exists is never disabled here: that takes a stronger lock, and a look at the schedules, first.
-- In the order of the types, so that two callers wait for each other instead of deadlocking.
INSERT INTO {schema}.job_definitions AS d (
    job_type, version, max_attempts, default_timeout_seconds, default_priority, is_enabled, retry_policy
)
SELECT job_type, version, max_attempts, timeout_seconds, priority, is_enabled, retry_policy::jsonb
FROM unnest(?::text[], ?::int[], ?::int[], ?::int[], ?::int[], ?::boolean[], ?::text[])
    AS i (job_type, version, max_attempts, timeout_seconds, priority, is_enabled, retry_policy)
ORDER BY job_type
ON CONFLICT (job_type) DO UPDATE
SET version = excluded.version, max_attempts = excluded.max_attempts, default_timeout_seconds = excluded.default_timeout_seconds,
    default_priority = excluded.default_priority, retry_policy = excluded.retry_policy,
    is_enabled = d.is_enabled OR (?::boolean AND excluded.is_enabled)
WHERE (d.version, d.max_attempts, d.default_timeout_seconds, d.default_priority, d.retry_policy) IS DISTINCT FROM
    (excluded.version, excluded.max_attempts, excluded.default_timeout_seconds, excluded.default_priority, excluded.retry_policy)
    OR (?::boolean AND excluded.is_enabled AND NOT d.is_enabled)
RETURNING d.job_type, d.xmax = 0 AS is_inserted
