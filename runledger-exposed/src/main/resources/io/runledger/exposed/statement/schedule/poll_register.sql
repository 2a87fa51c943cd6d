-- Creates a trigger, or sets the interval of an existing one; a new interval counts from now. Returns no row if the name belongs to another
-- kind of schedule or to an organization.
INSERT INTO {schema}.job_schedules AS s (id, name, kind, interval_seconds, next_fire_at, anchor_at)
SELECT :id, :name, 'POLL', :interval_seconds, stamp.at, stamp.at FROM (SELECT clock_timestamp() AS at) stamp
ON CONFLICT (name) DO UPDATE
SET interval_seconds = excluded.interval_seconds,
    next_fire_at = CASE WHEN s.interval_seconds = excluded.interval_seconds THEN s.next_fire_at ELSE excluded.next_fire_at END,
    anchor_at = CASE WHEN s.interval_seconds = excluded.interval_seconds THEN s.anchor_at ELSE excluded.anchor_at END
WHERE s.kind = 'POLL' AND s.organization_id IS NULL
RETURNING s.*
