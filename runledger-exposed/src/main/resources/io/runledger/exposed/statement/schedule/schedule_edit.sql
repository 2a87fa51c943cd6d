-- Changes the rule, the payload and the cursor of a locked schedule. A null :payload keeps the payload. If the cursor moves, a deferred
-- instant is not retried, and its history row says so.
WITH before AS MATERIALIZED (
    SELECT s.id, s.payload_template, s.deferred_from, s.next_fire_at <> :next_fire_at::timestamptz AS is_moved
    FROM {schema}.job_schedules s
    WHERE s.id = :schedule_id
), dropped AS (
    UPDATE {schema}.job_schedule_fires f
    SET outcome = 'SKIPPED_MISFIRE', fired_at = clock_timestamp(), reason = concat_ws(' ', :dropped_reason::text, f.reason)
    FROM before b
    WHERE b.is_moved AND f.schedule_id = b.id AND f.scheduled_for = b.deferred_from AND f.cause = 'CLOCK' AND f.outcome = 'DEFERRED'
)
UPDATE {schema}.job_schedules s
SET cron_expr = :cron_expr, interval_seconds = :interval_seconds, timezone = :timezone, misfire_policy = :misfire_policy,
    misfire_limit = :misfire_limit, overlap_policy = :overlap_policy, payload_template = coalesce(:payload::jsonb, s.payload_template),
    next_fire_at = :next_fire_at, anchor_at = :anchor_at, deferred_from = CASE WHEN NOT b.is_moved THEN s.deferred_from END
FROM before b
WHERE s.id = b.id
RETURNING s.*, s.payload_template <> b.payload_template AS is_payload_changed
