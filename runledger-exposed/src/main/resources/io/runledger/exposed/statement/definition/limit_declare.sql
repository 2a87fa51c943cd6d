-- Writes declared limits: new ones, and the declared values of those that differ. In the order of the names, so that two concurrent callers
-- wait for each other instead of deadlocking; every row is locked, also an unchanged one. limit_enforce then puts the values in force.
INSERT INTO {schema}.limits AS l (
    name, keyed_by, declared_permits, declared_rate_count, declared_rate_period_us, declared_rate_burst
)
SELECT name, keyed_by, permits, rate_count, rate_period_us, rate_burst
FROM unnest(
    :names::text[], :keyed_by::text[], :permits::int[], :rate_counts::int[], :rate_periods_us::bigint[], :rate_bursts::int[]
) AS i (name, keyed_by, permits, rate_count, rate_period_us, rate_burst)
ORDER BY name
ON CONFLICT (name) DO UPDATE
SET keyed_by = excluded.keyed_by, declared_permits = excluded.declared_permits, declared_rate_count = excluded.declared_rate_count,
    declared_rate_period_us = excluded.declared_rate_period_us, declared_rate_burst = excluded.declared_rate_burst, updated_at = now()
WHERE (l.keyed_by, l.declared_permits, l.declared_rate_count, l.declared_rate_period_us, l.declared_rate_burst) IS DISTINCT FROM (
    excluded.keyed_by, excluded.declared_permits, excluded.declared_rate_count, excluded.declared_rate_period_us,
    excluded.declared_rate_burst
)
