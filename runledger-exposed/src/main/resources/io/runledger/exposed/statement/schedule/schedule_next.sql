-- The time until the next schedule is due, in microseconds; zero or less if one is due already.
-- A schedule whose next fire was set to infinity by hand is never due.
SELECT CASE WHEN next.at = '-infinity' THEN 0 ELSE ceil(extract(epoch FROM next.at - clock_timestamp()) * 1000000)::bigint END AS until_us
FROM (
    SELECT min(s.next_fire_at) AS at FROM {schema}.job_schedules s
    WHERE s.is_active AND s.kind IS DISTINCT FROM 'POLL' AND s.next_fire_at < 'infinity'
) next
