-- Leases up to :limit due jobs of the given types: highest priority first, and earliest due time first within a priority. A null in
-- :type_limits means that the type has no limit of its own. Each row also gives the number of due jobs seen; if no job was leased, the
-- only row has no job. A job that was seen but not leased is locked by another session, and claim_rest looks for other jobs.
--
-- The cost does not depend on the number of jobs of other types, jobs of paused runs, future jobs and their priorities, or finished jobs.
-- A job that was due when its row was last written is still due, and idx_job_queue_claim has the order of a claim. For delayed jobs,
-- overdue finds by time the jobs that have become due, and so the priorities they have. If a type has more of them than overdue reads,
-- level finds the priorities instead, by skipping in the index from one priority to the next.
-- peek reads at most :limit due jobs per type, and per priority of delayed jobs, in order. It drops the jobs above the limit of their
-- type and so gives the number of jobs to lock of each kind. For a single type without overdue jobs that number is known without peek.
-- picked locks that many jobs and skips rows that other sessions have locked, so concurrent claims do not wait. Among jobs that were due
-- from the start it goes on to later jobs of the same type, down to the lowest priority in peek: peek wanted every job above it too.
-- The lease starts with the statement, not with its transaction. Otherwise, if another session has resumed, requeued or released the job
-- in between, the lease would start before that change.
-- A damaged row must not fail the claim of the other rows: hence the upper limit of the attempt count and the LEFT JOIN of the definition.
-- MATERIALIZED keeps the planner from running the locking part more than once. Rows are then found by ctid, without a second index
-- lookup; a row that has moved since the statement began is left for the next claim. ARRAY, because the planner overestimates picked
-- and would otherwise read the whole table to join it. FULL JOIN, although every step has its job: it rules out a nested loop over jobs
-- and steps, which the planner would choose because it underestimates both.
WITH RECURSIVE asked AS MATERIALIZED (
    SELECT t.job_type, t.type_limit, least(t.type_limit, claim.most) AS most
    FROM unnest(:job_types::text[], :type_limits::int[]) AS t (job_type, type_limit), (VALUES (:limit::int)) AS claim (most)
    WHERE NOT EXISTS (SELECT FROM {schema}.job_definitions d WHERE d.job_type = t.job_type AND d.is_paused)
), overdue AS MATERIALIZED (
    SELECT a.job_type, late.priority
    FROM asked a
    CROSS JOIN LATERAL (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.is_delayed AND q.job_type = a.job_type AND q.next_run_at <= now()
        ORDER BY q.next_run_at
        LIMIT 1001
    ) late
), level AS (
    SELECT o.job_type, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.is_delayed AND q.job_type = o.job_type
        ORDER BY q.priority DESC LIMIT 1
    ) AS priority
    FROM overdue o
    GROUP BY o.job_type
    HAVING count(*) > 1000
    UNION ALL
    SELECT l.job_type, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.is_delayed AND q.job_type = l.job_type AND q.priority < l.priority
        ORDER BY q.priority DESC LIMIT 1
    )
    FROM level l
    WHERE l.priority IS NOT NULL
), delayed AS MATERIALIZED (
    SELECT job_type, priority FROM overdue UNION SELECT job_type, priority FROM level WHERE priority IS NOT NULL
), peek AS MATERIALIZED (
    SELECT ranked.job_type, ranked.is_delayed, ranked.priority
    FROM (
        SELECT
            a.job_type, a.type_limit, due.is_delayed, due.priority, due.next_run_at, due.id,
            row_number() OVER (PARTITION BY a.job_type ORDER BY due.priority DESC, due.next_run_at, due.id) AS nth
        FROM asked a
        CROSS JOIN LATERAL (
            (
                SELECT false AS is_delayed, q.priority, q.next_run_at, q.id FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = a.job_type AND q.next_run_at <= now()
                ORDER BY q.priority DESC, q.next_run_at, q.id
                LIMIT a.most
            )
            UNION ALL
            SELECT true, l.priority, late.next_run_at, late.id
            FROM delayed l
            CROSS JOIN LATERAL (
                SELECT q.next_run_at, q.id FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.is_delayed AND q.job_type = l.job_type AND q.priority = l.priority
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
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = w.job_type AND q.priority >= w.lowest
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
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.is_delayed AND q.job_type = w.job_type AND q.priority = w.priority
            AND q.next_run_at <= now()
        ORDER BY q.next_run_at, q.id
        LIMIT w.jobs
        FOR UPDATE SKIP LOCKED
    ) due
), claimed AS (
    UPDATE {schema}.job_queue q
    SET status = 'LEASED', attempt = least(q.attempt, 2147483646) + 1, lease_id = gen_random_uuid(), worker_id = :worker,
        leased_at = statement_timestamp(), lease_seconds = :lease_seconds,
        lease_expires_at = statement_timestamp() + :lease_seconds * interval '1 second',
        last_heartbeat_at = statement_timestamp(), started_at = coalesce(q.started_at, statement_timestamp()), claim_origin = :origin::text,
        execution_started_persisted_at = NULL, updated_at = statement_timestamp()
    WHERE q.ctid = ANY (ARRAY(SELECT place FROM picked))
    RETURNING q.id, q.job_type, q.organization_id, q.run_number, q.attempt, q.interruptions, q.max_attempts, q.timeout_seconds,
        q.priority, q.payload, q.checkpoint, q.lease_id, q.leased_at, q.lease_expires_at, q.started_at, q.retry_policy, q.is_step
), step AS (
    UPDATE {schema}.workflow_steps s
    SET status = 'RUNNING', started_at = coalesce(s.started_at, statement_timestamp()), output = NULL, updated_at = statement_timestamp()
    WHERE s.job_id = ANY (ARRAY(SELECT id FROM claimed WHERE is_step)) AND s.status = 'ENQUEUED'
    RETURNING s.job_id, s.workflow_run_id, s.id, s.step_key
)
SELECT
    seen.jobs AS seen,
    c.id, c.job_type, c.organization_id, c.run_number, c.attempt, c.interruptions, c.max_attempts, c.timeout_seconds, c.priority,
    c.payload, c.checkpoint, c.lease_id, c.leased_at, c.lease_expires_at, nullif(c.started_at, c.leased_at) AS earlier_start,
    coalesce(c.retry_policy, d.retry_policy) AS retry_policy, s.workflow_run_id, s.id AS step_id, s.step_key
FROM (SELECT count(*) AS jobs FROM peek) seen
LEFT JOIN (
    claimed c
    LEFT JOIN {schema}.job_definitions d ON d.job_type = c.job_type
    FULL JOIN step s ON s.job_id = c.id
) ON true
