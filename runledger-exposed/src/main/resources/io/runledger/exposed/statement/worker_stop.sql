-- Marks the workers that are there with the order that tells them to end, and answers with them. Parameters: label (twice), order id.
-- Locked in id order, so that two who stop workers do not wait for each other.
WITH addressed AS MATERIALIZED (
    SELECT w.id FROM {schema}.workers w
    WHERE ?::text IS NULL OR ?::text = ANY (w.labels)
    ORDER BY w.id
    FOR NO KEY UPDATE OF w
), marked AS (
    UPDATE {schema}.workers w SET stop_order_id = ? FROM addressed WHERE w.id = addressed.id RETURNING w.*
)
SELECT m.*, clock_timestamp() > m.beat_at + 3 * m.beat_ms * interval '1 millisecond' AS is_lost
FROM marked m
ORDER BY m.worker_id, m.started_at, m.id
