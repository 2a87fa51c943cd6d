-- How long until the next schedule is due, in microseconds; zero or less when one is due already.
SELECT ceil(extract(epoch FROM min(s.next_fire_at) - clock_timestamp()) * 1000000)::bigint AS until_us
FROM {schema}.job_schedules s
WHERE s.is_active
