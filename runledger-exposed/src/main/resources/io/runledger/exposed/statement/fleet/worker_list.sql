-- The workers with a label, or all workers if :label is null.
SELECT w.*, clock_timestamp() > w.beat_at + 3 * w.beat_ms * interval '1 millisecond' AS is_lost
FROM {schema}.workers w
WHERE :label::text IS NULL OR :label::text = ANY (w.labels)
ORDER BY w.worker_id, w.started_at, w.id
