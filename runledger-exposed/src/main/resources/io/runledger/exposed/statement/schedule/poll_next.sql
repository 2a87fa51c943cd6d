-- The time until the next poll of these triggers, in microseconds; zero or less if a poll is due. A poll that a worker has taken is not due
-- before its lease has expired.
SELECT ceil(extract(epoch FROM next.at - clock_timestamp()) * 1000000)::bigint AS until_us
FROM (
    SELECT min(greatest(s.next_fire_at, s.poll_until)) AS at
    FROM {schema}.job_schedules s
    WHERE s.name = ANY (:names) AND s.kind = 'POLL' AND s.is_active AND isfinite(s.next_fire_at)
) next
