-- Schedules by name, after the name :after if it is not null.
SELECT s.*
FROM {schema}.job_schedules s
WHERE {scope s} AND s.name > coalesce(:after::text, '')
ORDER BY s.name
LIMIT :limit
