-- CTEs that find the priorities with delayed jobs that have become due. The including statement is WITH RECURSIVE and has the types to
-- claim in asked (job_type). The result is delayed (job_type, priority).
-- overdue finds by time the jobs that have become due, and so the priorities they have. If a type has more of them than overdue reads,
-- level finds the priorities instead, by skipping in the index from one priority to the next. A priority of level may have no due job.
overdue AS MATERIALIZED (
    SELECT a.job_type, late.priority
    FROM asked a
    CROSS JOIN LATERAL (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = a.job_type
            AND q.next_run_at <= now()
        ORDER BY q.next_run_at
        LIMIT 1001
    ) late
), level AS (
    SELECT o.job_type, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = o.job_type
        ORDER BY q.priority DESC LIMIT 1
    ) AS priority
    FROM overdue o
    GROUP BY o.job_type
    HAVING count(*) > 1000
    UNION ALL
    SELECT l.job_type, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = l.job_type
            AND q.priority < l.priority
        ORDER BY q.priority DESC LIMIT 1
    )
    FROM level l
    WHERE l.priority IS NOT NULL
), delayed AS MATERIALIZED (
    SELECT job_type, priority FROM overdue UNION SELECT job_type, priority FROM level WHERE priority IS NOT NULL
)
