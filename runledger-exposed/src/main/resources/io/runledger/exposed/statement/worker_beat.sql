-- A worker's beat: what it does, and what it is to do. No row when it is not on the list. The mark of a stop is read from the row as it is
-- once the beat has written it; the order itself may be younger than this statement's snapshot and is read after it.
-- Parameters: state, busy slots, id.
WITH beat AS (
    UPDATE {schema}.workers w SET beat_at = clock_timestamp(), state = ?, busy_slots = ? WHERE w.id = ?
    RETURNING w.labels, w.stop_order_id
)
SELECT beat.stop_order_id, EXISTS (
    SELECT FROM {schema}.worker_orders o
    WHERE o.kind = 'DRAIN' AND o.lifted_at IS NULL AND (o.ends_at IS NULL OR o.ends_at > clock_timestamp())
        AND (o.label IS NULL OR o.label = ANY (beat.labels))
) AS is_to_drain
FROM beat
