-- Schedules by name, after one if given.
SELECT s.*
FROM {schema}.job_schedules s
WHERE {scope s} AND s.name > coalesce(?::text, '')
ORDER BY s.name
LIMIT ?
