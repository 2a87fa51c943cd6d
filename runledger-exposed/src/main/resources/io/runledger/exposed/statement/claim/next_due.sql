-- The time until the next job of the given types is due, in microseconds. If a job is due already, the result is zero or negative: the time
-- since the earliest became due. Paused types, jobs of paused runs, and jobs that were postponed to infinity by hand do not count.
-- Of the jobs that were due when last written it reads one index entry per (type, priority) pair, by skipping from one pair to the next.
-- Of the delayed jobs it reads one entry per type, the earliest. Jobs with flow that were due from the start count only :with_flow: they may
-- wait for a limit.
WITH RECURSIVE asked AS MATERIALIZED (
    SELECT t.job_type FROM unnest(:job_types::text[]) AS t (job_type)
    WHERE NOT EXISTS (SELECT FROM {schema}.job_definitions d WHERE d.job_type = t.job_type AND d.is_paused)
), level AS (
    SELECT a.job_type, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = a.job_type
        ORDER BY q.priority DESC LIMIT 1
    ) AS priority
    FROM asked a
    UNION ALL
    SELECT l.job_type, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = l.job_type
            AND q.priority < l.priority
        ORDER BY q.priority DESC LIMIT 1
    )
    FROM level l
    WHERE l.priority IS NOT NULL
), first AS (
    SELECT f.next_run_at FROM level l
    CROSS JOIN LATERAL (
        SELECT q.next_run_at FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = l.job_type
            AND q.priority = l.priority
        ORDER BY q.next_run_at, q.id
        LIMIT 1
    ) f
    WHERE l.priority IS NOT NULL
    UNION ALL
    SELECT f.next_run_at FROM asked a
    CROSS JOIN LATERAL (
        SELECT q.next_run_at FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = a.job_type
        ORDER BY q.next_run_at
        LIMIT 1
    ) f
    UNION ALL
    SELECT f.next_run_at FROM asked a
    CROSS JOIN LATERAL (
        SELECT q.next_run_at FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.is_delayed AND q.flow_group IS NOT NULL AND q.job_type = a.job_type
        ORDER BY q.next_run_at
        LIMIT 1
    ) f
    UNION ALL
    SELECT f.next_run_at FROM asked a
    CROSS JOIN LATERAL (
        SELECT q.next_run_at FROM {schema}.job_queue q
        WHERE :with_flow::bool AND q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL
            AND q.job_type = a.job_type
        LIMIT 1
    ) f
)
SELECT CASE WHEN next.at = '-infinity' THEN 0 ELSE ceil(extract(epoch FROM next.at - clock_timestamp()) * 1000000)::bigint END AS until_us
FROM (SELECT min(next_run_at) FILTER (WHERE next_run_at < 'infinity') AS at FROM first) next
