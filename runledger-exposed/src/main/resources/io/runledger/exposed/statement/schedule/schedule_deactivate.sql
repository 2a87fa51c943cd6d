-- Pauses the active schedules among the given locked ones, records it in their history and returns their names. A deferred instant is not
-- retried, and its history row says so. If an operator has paused or resumed a schedule, that decision is kept.
-- :next_fire_at holds the cursor of each paused schedule.
WITH resting AS (
    SELECT s.id, s.name, s.deferred_from, i.next_fire_at
    FROM unnest(:schedule_ids::uuid[], :next_fire_at::timestamptz[]) AS i (id, next_fire_at) JOIN {schema}.job_schedules s ON s.id = i.id
    WHERE s.is_active AND s.declared_is_active IS NULL
), kept AS (
    UPDATE {schema}.job_schedules s SET declared_is_active = false
    FROM unnest(:schedule_ids::uuid[]) AS i (id) WHERE s.id = i.id AND s.declared_is_active
), dropped AS (
    UPDATE {schema}.job_schedule_fires f
    SET outcome = 'SKIPPED_MISFIRE', fired_at = clock_timestamp(), reason = concat_ws(' ', :dropped_reason::text, f.reason)
    FROM resting r
    WHERE f.schedule_id = r.id AND f.scheduled_for = r.deferred_from AND f.cause = 'CLOCK' AND f.outcome = 'DEFERRED'
), paused AS (
    UPDATE {schema}.job_schedules s SET is_active = false, next_fire_at = r.next_fire_at, deferred_from = NULL
    FROM resting r WHERE s.id = r.id
    RETURNING s.id, s.name
), noted AS (
    INSERT INTO {schema}.job_schedule_fires (schedule_id, scheduled_for, fired_at, cause, outcome, reason)
    SELECT p.id, stamp.at, stamp.at, 'OPERATOR', 'PAUSED', :pause_reason FROM paused p CROSS JOIN (SELECT clock_timestamp() AS at) stamp
)
SELECT name FROM paused
