-- Puts the declared values in force, unless those of an operator are. limit_declare has locked the rows. Records each change and notifies
-- the workers. Returns the changed limits.
WITH enforced AS (
    UPDATE {schema}.limits l
    SET permits = l.declared_permits, rate_count = l.declared_rate_count, rate_period_us = l.declared_rate_period_us,
        rate_burst = l.declared_rate_burst, updated_at = now()
    WHERE l.name = ANY (:names::text[]) AND NOT l.is_changed AND (l.permits, l.rate_count, l.rate_period_us, l.rate_burst) IS DISTINCT FROM
        (l.declared_permits, l.declared_rate_count, l.declared_rate_period_us, l.declared_rate_burst)
    RETURNING l.*
), recorded AS (
    INSERT INTO {schema}.limit_changes (name, permits, rate_count, rate_period_us, rate_burst)
    SELECT name, permits, rate_count, rate_period_us, rate_burst FROM enforced
), signal AS (
    SELECT pg_notify({channel}, 'f:' || name) FROM enforced WHERE {signals}
)
SELECT e.name FROM enforced e CROSS JOIN (SELECT count(*) FROM signal) notified
