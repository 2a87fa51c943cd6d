-- Sets a locked schedule's state and cursor; what was deferred is not tried again, and its line says so.
-- Parameters: schedule, reason of the line; active, what code says of that if an operator said otherwise, next fire, anchor, schedule.
WITH dropped AS (
    UPDATE {schema}.job_schedule_fires f
    SET outcome = 'SKIPPED_MISFIRE', fired_at = clock_timestamp(), reason = concat_ws(' ', w.reason, f.reason)
    FROM {schema}.job_schedules s CROSS JOIN (SELECT ?::uuid AS schedule_id, ?::text AS reason) w
    WHERE s.id = w.schedule_id AND f.schedule_id = s.id AND f.scheduled_for = s.deferred_from AND f.cause = 'CLOCK'
        AND f.outcome = 'DEFERRED'
)
UPDATE {schema}.job_schedules
SET is_active = ?, declared_is_active = ?, next_fire_at = ?, anchor_at = ?, deferred_from = NULL
WHERE id = ?
RETURNING *
