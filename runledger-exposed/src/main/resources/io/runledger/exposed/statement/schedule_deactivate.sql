-- Pauses the active ones among some schedules and notes it; answers with their names. Last parameter: the reason.
WITH paused AS (
    UPDATE {schema}.job_schedules s SET is_active = false
    WHERE s.name = ANY (?) AND s.is_active AND {scope s}
    RETURNING s.id, s.name
), noted AS (
    INSERT INTO {schema}.job_schedule_fires (schedule_id, scheduled_for, fired_at, cause, outcome, reason)
    SELECT p.id, stamp.at, stamp.at, 'OPERATOR', 'PAUSED', ? FROM paused p CROSS JOIN (SELECT clock_timestamp() AS at) stamp
)
SELECT name FROM paused
