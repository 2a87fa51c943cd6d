-- Takes the due polls of these triggers. No other worker can take them before the lease has expired.
WITH clock AS MATERIALIZED (
    SELECT clock_timestamp() AS database_now
), due AS MATERIALIZED (
    SELECT s.id
    FROM {schema}.job_schedules s
    WHERE s.name = ANY (:names) AND s.kind = 'POLL' AND s.is_active
        AND greatest(s.next_fire_at, s.poll_until) <= (SELECT database_now FROM clock)
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE {schema}.job_schedules s
SET poll_id = gen_random_uuid(), poll_until = clock.database_now + :lease_us::bigint * interval '1 microsecond'
FROM due CROSS JOIN clock
WHERE s.id = due.id
RETURNING s.id, s.name, s.poll_id, s.next_fire_at
