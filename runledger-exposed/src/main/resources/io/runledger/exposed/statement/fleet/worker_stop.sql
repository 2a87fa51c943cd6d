-- Marks the listed workers with a stop order and returns them. The workers are locked in id order, so that two concurrent calls do not
-- deadlock.
WITH addressed AS MATERIALIZED (
    SELECT w.id FROM {schema}.workers w
    WHERE :label::text IS NULL OR :label::text = ANY (w.labels)
    ORDER BY w.id
    FOR NO KEY UPDATE OF w
), marked AS (
    UPDATE {schema}.workers w SET stop_order_id = :order_id FROM addressed WHERE w.id = addressed.id RETURNING w.*
)
SELECT m.*, clock_timestamp() > m.beat_at + 3 * m.beat_ms * interval '1 millisecond' AS is_lost
FROM marked m
ORDER BY m.worker_id, m.started_at, m.id
