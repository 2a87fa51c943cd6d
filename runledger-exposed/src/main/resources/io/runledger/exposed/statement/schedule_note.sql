-- Notes what somebody did to a locked schedule; a run it started is its last one.
-- Parameters: schedule, job or null, run or null, when (twice), outcome, reason.
WITH noted AS (
    INSERT INTO {schema}.job_schedule_fires (schedule_id, job_id, run_id, scheduled_for, fired_at, cause, outcome, reason)
    VALUES (?, ?, ?, ?, ?, 'OPERATOR', ?, ?)
    RETURNING *
), last AS (
    UPDATE {schema}.job_schedules s SET last_run_id = n.run_id FROM noted n WHERE s.id = n.schedule_id AND n.run_id IS NOT NULL
)
SELECT * FROM noted
