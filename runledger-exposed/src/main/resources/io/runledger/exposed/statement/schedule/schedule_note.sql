-- Records an operator's action on a locked schedule. A run that the action started becomes the schedule's last run.
WITH noted AS (
    INSERT INTO {schema}.job_schedule_fires (schedule_id, job_id, run_id, scheduled_for, fired_at, cause, outcome, reason)
    VALUES (:schedule_id, :job_id, :run_id, :at, :at, 'OPERATOR', :outcome, :reason)
    RETURNING *
), last AS (
    UPDATE {schema}.job_schedules s SET last_run_id = n.run_id FROM noted n WHERE s.id = n.schedule_id AND n.run_id IS NOT NULL
)
SELECT * FROM noted
