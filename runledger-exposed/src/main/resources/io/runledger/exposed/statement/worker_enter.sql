-- Puts a worker on the list, and answers since when it runs. What was ordered meanwhile it learns from its first beat, which begins after
-- this is committed: an order is committed before its list is read, so one of the two sees the other.
-- One that was taken off the list and comes back says since when it runs: a stop that was given since then is still for it, though the
-- row that bore its mark is gone.
-- Parameters: id, worker id, labels, job types, slots, version of the library, version of the service, host, process id, beat in
-- milliseconds, since when (null for one that has just started), the same, labels.
INSERT INTO {schema}.workers AS w (
    id, worker_id, labels, job_types, slots, library_version, application_version, host, process_id, beat_ms, started_at, stop_order_id,
    beat_at
)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, clock_timestamp()), (
    SELECT o.id FROM {schema}.worker_orders o
    WHERE o.kind = 'STOP' AND o.ordered_at >= ? AND (o.label IS NULL OR o.label = ANY (?))
    ORDER BY o.id LIMIT 1
), clock_timestamp())
ON CONFLICT (id) DO UPDATE SET beat_at = w.beat_at
RETURNING w.started_at
