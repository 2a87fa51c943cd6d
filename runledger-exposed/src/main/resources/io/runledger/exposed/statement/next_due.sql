-- How long until the next job of the given types is due, in microseconds; zero or less when one is due already. Paused types and
-- runs do not count, nor what somebody put off for ever by hand. Parameter: job types. Reads one index entry per (type, priority) pair, found as in claim.sql.
WITH RECURSIVE level AS (
    SELECT t.job_type, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.job_type = t.job_type
        ORDER BY q.priority DESC LIMIT 1
    ) AS priority
    FROM unnest(?::text[]) AS t (job_type)
    WHERE NOT EXISTS (SELECT FROM {schema}.job_definitions d WHERE d.job_type = t.job_type AND d.is_paused)
    UNION ALL
    SELECT l.job_type, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.job_type = l.job_type AND q.priority < l.priority
        ORDER BY q.priority DESC LIMIT 1
    )
    FROM level l
    WHERE l.priority IS NOT NULL
)
SELECT CASE WHEN next.at = '-infinity' THEN 0 ELSE ceil(extract(epoch FROM next.at - clock_timestamp()) * 1000000)::bigint END AS until_us
FROM (
    SELECT min(first.next_run_at) FILTER (WHERE first.next_run_at < 'infinity') AS at
    FROM level l
    CROSS JOIN LATERAL (
        SELECT q.next_run_at FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.job_type = l.job_type AND q.priority = l.priority
        ORDER BY q.next_run_at, q.id
        LIMIT 1
    ) first
    WHERE l.priority IS NOT NULL
) next
