-- Puts values in force. limit_lock holds the row. If they differ from those before, the change is recorded and the workers are notified: jobs
-- may begin that could not, or may no longer.
WITH before AS MATERIALIZED (
    SELECT l.* FROM {schema}.limits l WHERE l.name = :name
), put AS (
    UPDATE {schema}.limits l
    SET permits = :permits::int, rate_count = :rate_count::int, rate_period_us = :rate_period_us::bigint, rate_burst = :rate_burst::int,
        is_changed = :is_changed::boolean, updated_at = now()
    WHERE l.name = :name
    RETURNING l.*
), changed AS (
    SELECT p.* FROM put p JOIN before b ON b.name = p.name
    WHERE (b.permits, b.rate_count, b.rate_period_us, b.rate_burst) IS DISTINCT FROM (p.permits, p.rate_count, p.rate_period_us, p.rate_burst)
), recorded AS (
    INSERT INTO {schema}.limit_changes (name, permits, rate_count, rate_period_us, rate_burst, changed_by, reason)
    SELECT name, permits, rate_count, rate_period_us, rate_burst, :actor::text, :reason::text FROM changed
), signal AS (
    SELECT pg_notify({channel}, 'f:' || name) FROM changed WHERE {signals}
)
SELECT p.* FROM put p CROSS JOIN (SELECT count(*) FROM signal) notified
