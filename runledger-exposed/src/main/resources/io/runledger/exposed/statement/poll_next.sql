-- How long until one of these triggers is to be polled, in microseconds; zero or less when one is now. Whoever polls has it to himself
-- until his time is up.
SELECT ceil(extract(epoch FROM next.at - clock_timestamp()) * 1000000)::bigint AS until_us
FROM (
    SELECT min(greatest(s.next_fire_at, s.poll_until)) AS at
    FROM {schema}.job_schedules s
    WHERE s.name = ANY (?) AND s.kind = 'POLL' AND s.is_active AND isfinite(s.next_fire_at)
) next
