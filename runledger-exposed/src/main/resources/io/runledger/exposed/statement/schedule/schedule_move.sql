-- Sets the state and the cursor of a locked schedule. A deferred instant is not retried, and its history row says so.
-- :declared_is_active is the declared state while an operator's pause or resume overrides it, else null.
WITH dropped AS (
    UPDATE {schema}.job_schedule_fires f
    SET outcome = 'SKIPPED_MISFIRE', fired_at = clock_timestamp(), reason = concat_ws(' ', w.reason, f.reason)
    FROM {schema}.job_schedules s CROSS JOIN (SELECT :schedule_id::uuid AS schedule_id, :dropped_reason::text AS reason) w
    WHERE s.id = w.schedule_id AND f.schedule_id = s.id AND f.scheduled_for = s.deferred_from AND f.cause = 'CLOCK'
        AND f.outcome = 'DEFERRED'
)
UPDATE {schema}.job_schedules
SET is_active = :is_active, declared_is_active = :declared_is_active, next_fire_at = :next_fire_at,
    anchor_at = :anchor_at, deferred_from = NULL
WHERE id = :schedule_id
RETURNING *
