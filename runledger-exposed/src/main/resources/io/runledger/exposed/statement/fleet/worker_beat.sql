-- A worker's heartbeat: stores its state and returns its orders. Returns no row if the worker is not in the list. The stop mark is read
-- from the row after the heartbeat has written it. The order itself can be younger than this statement's snapshot, so it is read later.
WITH beat AS (
    UPDATE {schema}.workers w SET beat_at = clock_timestamp(), state = :state, busy_slots = :busy_slots, held_jobs = :held_jobs
    WHERE w.id = :id
    RETURNING w.labels, w.stop_order_id
)
SELECT beat.stop_order_id, EXISTS (
    SELECT FROM {schema}.worker_orders o
    WHERE o.kind = 'DRAIN' AND o.lifted_at IS NULL AND (o.ends_at IS NULL OR o.ends_at > clock_timestamp())
        AND (o.label IS NULL OR o.label = ANY (beat.labels))
) AS is_to_drain
FROM beat
