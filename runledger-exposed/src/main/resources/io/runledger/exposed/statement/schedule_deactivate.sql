-- Pauses the active ones among some schedules; answers with their names.
UPDATE {schema}.job_schedules s SET is_active = false
WHERE s.name = ANY (?) AND s.is_active AND {scope s}
RETURNING s.name
