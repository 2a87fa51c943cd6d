-- The history of a schedule, the newest first.
SELECT f.*
FROM {schema}.job_schedule_fires f
WHERE f.schedule_id = (SELECT s.id FROM {schema}.job_schedules s WHERE s.name = :name AND {scope s})
ORDER BY f.scheduled_for DESC, f.fired_at DESC, f.dedup_key
LIMIT :limit
