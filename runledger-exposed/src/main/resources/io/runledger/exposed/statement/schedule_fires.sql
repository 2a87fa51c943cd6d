-- What became of a schedule's instants, the newest first.
SELECT f.schedule_id, f.scheduled_for, f.fired_at, f.outcome, f.job_id
FROM {schema}.job_schedule_fires f
WHERE f.schedule_id = (SELECT s.id FROM {schema}.job_schedules s WHERE s.name = ? AND {scope s})
ORDER BY f.scheduled_for DESC
LIMIT ?
