-- Pauses the active ones among some locked schedules and notes it; what was deferred is not tried again, and its line says so.
-- Answers with their names. Where an operator's pause or resume stands, it stays. Parameters: schedules and where their cursors rest; schedules; reason of a line that waited; reason of the pause.
WITH resting AS (
    SELECT s.id, s.name, s.deferred_from, i.next_fire_at
    FROM unnest(?::uuid[], ?::timestamptz[]) AS i (id, next_fire_at) JOIN {schema}.job_schedules s ON s.id = i.id
    WHERE s.is_active AND s.declared_is_active IS NULL
), kept AS (
    UPDATE {schema}.job_schedules s SET declared_is_active = false
    FROM unnest(?::uuid[]) AS i (id) WHERE s.id = i.id AND s.declared_is_active
), dropped AS (
    UPDATE {schema}.job_schedule_fires f
    SET outcome = 'SKIPPED_MISFIRE', fired_at = clock_timestamp(), reason = concat_ws(' ', ?::text, f.reason)
    FROM resting r
    WHERE f.schedule_id = r.id AND f.scheduled_for = r.deferred_from AND f.cause = 'CLOCK' AND f.outcome = 'DEFERRED'
), paused AS (
    UPDATE {schema}.job_schedules s SET is_active = false, next_fire_at = r.next_fire_at, deferred_from = NULL
    FROM resting r WHERE s.id = r.id
    RETURNING s.id, s.name
), noted AS (
    INSERT INTO {schema}.job_schedule_fires (schedule_id, scheduled_for, fired_at, cause, outcome, reason)
    SELECT p.id, stamp.at, stamp.at, 'OPERATOR', 'PAUSED', ? FROM paused p CROSS JOIN (SELECT clock_timestamp() AS at) stamp
)
SELECT name FROM paused
