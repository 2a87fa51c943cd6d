-- Makes a trigger, or gives one that exists its interval; a new interval counts from now. Answers with no row when the name belongs to
-- another kind of schedule or to an organization. Parameters: id, name, interval (in seconds).
INSERT INTO {schema}.job_schedules AS s (id, name, kind, interval_seconds, next_fire_at, anchor_at)
SELECT ?, ?, 'POLL', ?, stamp.at, stamp.at FROM (SELECT clock_timestamp() AS at) stamp
ON CONFLICT (name) DO UPDATE
SET interval_seconds = excluded.interval_seconds,
    next_fire_at = CASE WHEN s.interval_seconds = excluded.interval_seconds THEN s.next_fire_at ELSE excluded.next_fire_at END,
    anchor_at = CASE WHEN s.interval_seconds = excluded.interval_seconds THEN s.anchor_at ELSE excluded.anchor_at END
WHERE s.kind = 'POLL' AND s.organization_id IS NULL
RETURNING s.*
