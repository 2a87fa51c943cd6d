-- Due schedules, the longest due first. Takes no locks.
SELECT s.id
FROM {schema}.job_schedules s
WHERE s.is_active AND s.kind IS DISTINCT FROM 'POLL' AND s.next_fire_at <= (SELECT clock_timestamp())
ORDER BY s.next_fire_at
LIMIT :limit
