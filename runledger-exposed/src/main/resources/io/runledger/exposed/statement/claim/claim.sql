-- Leases up to :limit due jobs of the given types: highest priority first, and earliest due time first within a priority. A null in
-- :type_limits means that the type has no limit of its own. Each row also gives the number of due jobs seen; if no job was leased, the
-- only row has no job. Jobs with flow are left to pick_flow; has_flow says whether one of them is due. A job that was seen but not leased is locked by another session, and claim_rest looks for other jobs.
--
-- The cost does not depend on the number of jobs of other types, jobs of paused runs, future jobs and their priorities, or finished jobs.
-- A job that was due when its row was last written is still due, and idx_job_queue_claim has the order of a claim.
-- peek reads at most :limit due jobs per type, and per priority of delayed jobs, in order. It drops the jobs above the limit of their
-- type and so gives the number of jobs to lock of each kind. For a single type without overdue jobs that number is known without peek.
-- picked locks that many jobs and skips rows that other sessions have locked, so concurrent claims do not wait. Among jobs that were due
-- from the start it goes on to later jobs of the same type, down to the lowest priority in peek: peek wanted every job above it too.
-- MATERIALIZED keeps the planner from running the locking part more than once.
WITH RECURSIVE asked AS MATERIALIZED (
    SELECT t.job_type, t.type_limit, least(t.type_limit, claim.most) AS most
    FROM unnest(:job_types::text[], :type_limits::int[]) AS t (job_type, type_limit), (VALUES (:limit::int)) AS claim (most)
    WHERE NOT EXISTS (SELECT FROM {schema}.job_definitions d WHERE d.job_type = t.job_type AND d.is_paused)
),
{fragment/delayed_priorities},
peek AS MATERIALIZED (
    SELECT ranked.job_type, ranked.is_delayed, ranked.priority
    FROM (
        SELECT
            a.job_type, a.type_limit, due.is_delayed, due.priority, due.next_run_at, due.id,
            row_number() OVER (PARTITION BY a.job_type ORDER BY due.priority DESC, due.next_run_at, due.id) AS nth
        FROM asked a
        CROSS JOIN LATERAL (
            (
                SELECT false AS is_delayed, q.priority, q.next_run_at, q.id FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed
                    AND q.job_type = a.job_type AND q.next_run_at <= now()
                ORDER BY q.priority DESC, q.next_run_at, q.id
                LIMIT a.most
            )
            UNION ALL
            SELECT true, l.priority, late.next_run_at, late.id
            FROM delayed l
            CROSS JOIN LATERAL (
                SELECT q.next_run_at, q.id FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = l.job_type
                    AND q.priority = l.priority
                    AND q.next_run_at <= now()
                ORDER BY q.next_run_at, q.id
                LIMIT a.most
            ) late
            WHERE l.job_type = a.job_type
        ) due
        WHERE (SELECT count(*) FROM asked) > 1 OR EXISTS (SELECT FROM delayed)
    ) ranked
    WHERE ranked.type_limit IS NULL OR ranked.nth <= ranked.type_limit
    ORDER BY ranked.priority DESC, ranked.next_run_at, ranked.id
    LIMIT :limit
), picked AS MATERIALIZED (
    SELECT due.place
    FROM (
        SELECT job_type, min(priority) AS lowest, count(*) AS jobs FROM peek WHERE NOT is_delayed GROUP BY job_type
        UNION ALL
        SELECT job_type, -2147483648, most FROM asked WHERE (SELECT count(*) FROM asked) = 1 AND NOT EXISTS (SELECT FROM delayed)
    ) w
    CROSS JOIN LATERAL (
        SELECT q.ctid AS place FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = w.job_type
            AND q.priority >= w.lowest
            AND q.next_run_at <= now()
        ORDER BY q.priority DESC, q.next_run_at, q.id
        LIMIT w.jobs
        FOR UPDATE SKIP LOCKED
    ) due
    UNION ALL
    SELECT due.place
    FROM (SELECT job_type, priority, count(*) AS jobs FROM peek WHERE is_delayed GROUP BY job_type, priority) w
    CROSS JOIN LATERAL (
        SELECT q.ctid AS place FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = w.job_type
            AND q.priority = w.priority
            AND q.next_run_at <= now()
        ORDER BY q.next_run_at, q.id
        LIMIT w.jobs
        FOR UPDATE SKIP LOCKED
    ) due
),
{fragment/lease_picked}
SELECT seen.jobs AS seen, seen.has_flow, leased.*
FROM (
    SELECT
        count(*) AS jobs,
        EXISTS (
            SELECT FROM asked a
            CROSS JOIN LATERAL (
                (
                    SELECT FROM {schema}.job_queue q
                    WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL
                        AND q.job_type = a.job_type
                    ORDER BY q.priority DESC, q.flow_group
                    LIMIT 1
                )
                UNION ALL
                (
                    SELECT FROM {schema}.job_queue q
                    WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.is_delayed AND q.flow_group IS NOT NULL
                        AND q.job_type = a.job_type AND q.next_run_at <= now()
                    ORDER BY q.next_run_at
                    LIMIT 1
                )
            ) due
        ) AS has_flow
    FROM peek
) seen
LEFT JOIN leased ON true
