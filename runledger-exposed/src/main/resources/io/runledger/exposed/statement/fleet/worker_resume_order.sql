-- Lifts one order and notifies the workers. Returns no row if the order is not in force.
WITH lifted AS (
    UPDATE {schema}.worker_orders o
    SET lifted_at = clock_timestamp(), lifted_by = SESSION_USER, lifted_reason = :reason
    WHERE o.id = :id AND o.kind = 'DRAIN' AND o.lifted_at IS NULL AND (o.ends_at IS NULL OR o.ends_at > clock_timestamp())
    RETURNING o.*
), signal AS (
    SELECT pg_notify({channel}, 'w:' || id) FROM lifted WHERE {signals}
)
SELECT lifted.*, false AS is_over FROM lifted CROSS JOIN (SELECT count(*) FROM signal) sent
