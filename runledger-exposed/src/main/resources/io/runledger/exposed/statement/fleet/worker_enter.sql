-- Adds a worker to the list and returns its start time. The worker reads its orders with its first heartbeat, which begins after this
-- statement is committed. An order is committed before the list is read, so either the worker sees the order or the list shows the worker.
-- A worker that was deleted from the list and returns gives its start time in :since, which is null for a new worker. A stop order given
-- since then still applies, although the row with the stop mark is gone.
INSERT INTO {schema}.workers AS w (
    id, worker_id, labels, job_types, queues, slots, library_version, application_version, host, process_id, beat_ms, started_at,
    stop_order_id, beat_at
)
VALUES (
    :id, :worker_id, :labels, :job_types, :queues, :slots, :library_version, :application_version, :host, :process_id, :beat_ms,
    coalesce(:since, clock_timestamp()), (
        SELECT o.id FROM {schema}.worker_orders o
        WHERE o.kind = 'STOP' AND o.ordered_at >= :since AND (o.label IS NULL OR o.label = ANY (:labels))
        ORDER BY o.id LIMIT 1
    ), clock_timestamp()
)
ON CONFLICT (id) DO UPDATE SET beat_at = w.beat_at
RETURNING w.started_at
