-- Writes declared job types: inserts new ones and updates those that differ. Equal ones and those whose stored version is newer are left
-- unchanged. Returns the rows written. If an operator's value is in force, the declared value is stored beside it.
-- An existing row is never disabled here: that requires a stronger lock and a check of the schedules first.
-- The rows are written in the order of the types, so that two concurrent callers wait for each other instead of deadlocking. Every row is
-- locked, also an unchanged one: the second caller compares with the values that the first one wrote.
INSERT INTO {schema}.job_definitions AS d (
    job_type, version, max_attempts, default_timeout_seconds, default_priority, is_enabled, retry_policy, flow
)
SELECT job_type, version, max_attempts, timeout_seconds, priority, is_enabled, retry_policy::jsonb, flow::jsonb
FROM unnest(
    :job_types::text[], :versions::int[], :max_attempts::int[], :timeout_seconds::int[], :priorities::int[], :is_enabled::boolean[],
    :retry_policies::text[], :flows::text[]
) AS i (job_type, version, max_attempts, timeout_seconds, priority, is_enabled, retry_policy, flow)
ORDER BY job_type
ON CONFLICT (job_type) DO UPDATE
SET version = excluded.version,
    max_attempts = CASE WHEN d.declared_max_attempts IS NULL THEN excluded.max_attempts ELSE d.max_attempts END,
    declared_max_attempts = CASE WHEN d.declared_max_attempts IS NOT NULL THEN excluded.max_attempts END,
    default_timeout_seconds =
        CASE WHEN d.declared_timeout_seconds IS NULL THEN excluded.default_timeout_seconds ELSE d.default_timeout_seconds END,
    declared_timeout_seconds = CASE WHEN d.declared_timeout_seconds IS NOT NULL THEN excluded.default_timeout_seconds END,
    default_priority = CASE WHEN d.declared_priority IS NULL THEN excluded.default_priority ELSE d.default_priority END,
    declared_priority = CASE WHEN d.declared_priority IS NOT NULL THEN excluded.default_priority END,
    retry_policy = CASE WHEN d.declared_retry_policy IS NULL THEN excluded.retry_policy ELSE d.retry_policy END,
    declared_retry_policy = CASE WHEN d.declared_retry_policy IS NOT NULL THEN coalesce(excluded.retry_policy, 'null') END,
    is_enabled = d.is_enabled OR d.declared_is_enabled IS NULL AND excluded.is_enabled,
    declared_is_enabled = CASE WHEN d.declared_is_enabled IS NOT NULL THEN excluded.is_enabled END,
    flow = excluded.flow,
    redeclared_at = CASE WHEN d.version = excluded.version THEN now() END
WHERE d.version <= excluded.version AND (
    d.version, coalesce(d.declared_max_attempts, d.max_attempts), coalesce(d.declared_timeout_seconds, d.default_timeout_seconds),
    coalesce(d.declared_priority, d.default_priority), coalesce(d.declared_is_enabled, d.is_enabled),
    CASE WHEN d.declared_retry_policy IS NULL THEN d.retry_policy ELSE nullif(d.declared_retry_policy, 'null') END, d.flow
) IS DISTINCT FROM (
    excluded.version, excluded.max_attempts, excluded.default_timeout_seconds, excluded.default_priority, excluded.is_enabled,
    excluded.retry_policy, excluded.flow
)
RETURNING d.job_type, d.xmax = 0 AS is_inserted, d.redeclared_at IS NOT NULL AS is_redeclared
