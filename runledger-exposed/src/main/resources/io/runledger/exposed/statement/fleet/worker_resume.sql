-- Lifts the orders in force for a label, or those for every worker if :label is null, or all orders if :is_for_all, and notifies the
-- workers. The orders are locked in id order, so that two concurrent calls do not deadlock.
WITH standing AS MATERIALIZED (
    SELECT o.id FROM {schema}.worker_orders o
    WHERE o.kind = 'DRAIN' AND o.lifted_at IS NULL AND (o.ends_at IS NULL OR o.ends_at > clock_timestamp())
        AND (:is_for_all::boolean OR o.label IS NOT DISTINCT FROM :label::text)
    ORDER BY o.id
    FOR NO KEY UPDATE OF o
), lifted AS (
    UPDATE {schema}.worker_orders o
    SET lifted_at = clock_timestamp(), lifted_by = SESSION_USER, lifted_reason = :reason
    FROM standing
    WHERE o.id = standing.id
    RETURNING o.*
), signal AS (
    SELECT pg_notify({channel}, 'w:' || id) FROM lifted WHERE {signals}
)
SELECT lifted.*, false AS is_over FROM lifted CROSS JOIN (SELECT count(*) FROM signal) sent ORDER BY lifted.id
