-- How long until the next job of the given types is due, in microseconds; zero or less when one is due already: then, how long the
-- first of them has been. Paused types and runs do not count, nor what somebody put off for ever by hand. Parameter: job types.
-- Of jobs that were due when they were last written it reads one index entry per (type, priority) pair, found by jumping from one to
-- the next; of those that were put off one per type, the first in time.
WITH RECURSIVE asked AS MATERIALIZED (
    SELECT t.job_type FROM unnest(?::text[]) AS t (job_type)
    WHERE NOT EXISTS (SELECT FROM {schema}.job_definitions d WHERE d.job_type = t.job_type AND d.is_paused)
), level AS (
    SELECT a.job_type, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = a.job_type
        ORDER BY q.priority DESC LIMIT 1
    ) AS priority
    FROM asked a
    UNION ALL
    SELECT l.job_type, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = l.job_type AND q.priority < l.priority
        ORDER BY q.priority DESC LIMIT 1
    )
    FROM level l
    WHERE l.priority IS NOT NULL
), first AS (
    SELECT f.next_run_at FROM level l
    CROSS JOIN LATERAL (
        SELECT q.next_run_at FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = l.job_type AND q.priority = l.priority
        ORDER BY q.next_run_at, q.id
        LIMIT 1
    ) f
    WHERE l.priority IS NOT NULL
    UNION ALL
    SELECT f.next_run_at FROM asked a
    CROSS JOIN LATERAL (
        SELECT q.next_run_at FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.is_delayed AND q.job_type = a.job_type
        ORDER BY q.next_run_at
        LIMIT 1
    ) f
)
SELECT CASE WHEN next.at = '-infinity' THEN 0 ELSE ceil(extract(epoch FROM next.at - clock_timestamp()) * 1000000)::bigint END AS until_us
FROM (SELECT min(next_run_at) FILTER (WHERE next_run_at < 'infinity') AS at FROM first) next
