-- Lifts the standing orders for a label, or those for every worker when it is null, or all of them; and tells the workers to look.
-- Parameters: whether all, label, reason. Locked in id order, so that two who lift do not wait for each other.
WITH standing AS MATERIALIZED (
    SELECT o.id FROM {schema}.worker_orders o
    WHERE o.kind = 'DRAIN' AND o.lifted_at IS NULL AND (o.ends_at IS NULL OR o.ends_at > clock_timestamp())
        AND (?::boolean OR o.label IS NOT DISTINCT FROM ?::text)
    ORDER BY o.id
    FOR NO KEY UPDATE OF o
), lifted AS (
    UPDATE {schema}.worker_orders o
    SET lifted_at = clock_timestamp(), lifted_by = SESSION_USER, lifted_reason = ?
    FROM standing
    WHERE o.id = standing.id
    RETURNING o.*
), signal AS (
    SELECT pg_notify({channel}, 'w:' || id) FROM lifted WHERE {signals}
)
SELECT lifted.*, false AS is_over FROM lifted CROSS JOIN (SELECT count(*) FROM signal) told ORDER BY lifted.id
