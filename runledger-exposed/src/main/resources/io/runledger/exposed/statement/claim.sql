-- Leases up to the limit of due jobs of the given types, highest priority first, oldest due time first within a priority.
-- Parameters: job types, their limits (null: none of their own), limit (three times), worker, lease in seconds (twice), claim origin.
--
-- The cost does not depend on how many jobs of other types, jobs of paused runs, future jobs or finished jobs there are:
-- level walks the distinct (type, priority) pairs by jumping from one to the next in idx_job_queue_claim;
-- peek reads at most the limit of due jobs per pair, in order, drops what is above its type's limit, and says how many of each
-- pair are wanted; where there is one pair only, the answer is known without it;
-- picked locks that many per pair, skipping what other claims hold, so competing claims neither wait nor come back empty-handed.
-- A row that somebody damaged must not fail the claim of its neighbours: hence the limit to the count, and no need of a definition.
-- MATERIALIZED on purpose: it keeps the planner from running the locking part more than once. Rows are then found by where they lie,
-- and not once more by an index; one that moved since the statement began is left for the next claim. ARRAY on purpose too: the
-- planner overestimates picked and would otherwise read the whole table to join it. And FULL JOIN, though no step comes without its job:
-- it cannot be done by comparing each job with each step, which the planner would do because it underestimates both.
WITH RECURSIVE level AS (
    SELECT t.job_type, t.type_limit, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.job_type = t.job_type
        ORDER BY q.priority DESC LIMIT 1
    ) AS priority
    FROM unnest(?::text[], ?::int[]) AS t (job_type, type_limit)
    WHERE NOT EXISTS (SELECT FROM {schema}.job_definitions d WHERE d.job_type = t.job_type AND d.is_paused)
    UNION ALL
    SELECT l.job_type, l.type_limit, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.job_type = l.job_type AND q.priority < l.priority
        ORDER BY q.priority DESC LIMIT 1
    )
    FROM level l
    WHERE l.priority IS NOT NULL
), peek AS (
    SELECT ranked.job_type, ranked.priority
    FROM (
        SELECT
            l.job_type, l.type_limit, l.priority, due.next_run_at, due.id,
            row_number() OVER (PARTITION BY l.job_type ORDER BY l.priority DESC, due.next_run_at, due.id) AS nth
        FROM level l
        CROSS JOIN LATERAL (
            SELECT q.next_run_at, q.id FROM {schema}.job_queue q
            WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.job_type = l.job_type AND q.priority = l.priority AND q.next_run_at <= now()
            ORDER BY q.next_run_at, q.id
            LIMIT least(?, l.type_limit)
        ) due
        WHERE l.priority IS NOT NULL AND (SELECT count(*) FROM level WHERE priority IS NOT NULL) > 1
    ) ranked
    WHERE ranked.type_limit IS NULL OR ranked.nth <= ranked.type_limit
    ORDER BY ranked.priority DESC, ranked.next_run_at, ranked.id
    LIMIT ?
), wanted AS (
    SELECT job_type, priority, count(*) AS jobs FROM peek GROUP BY job_type, priority
    UNION ALL
    SELECT job_type, priority, least(?, type_limit) FROM level
    WHERE priority IS NOT NULL AND (SELECT count(*) FROM level WHERE priority IS NOT NULL) = 1
), picked AS MATERIALIZED (
    SELECT due.place
    FROM wanted w
    CROSS JOIN LATERAL (
        SELECT q.ctid AS place FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.job_type = w.job_type AND q.priority = w.priority AND q.next_run_at <= now()
        ORDER BY q.next_run_at, q.id
        LIMIT w.jobs
        FOR UPDATE SKIP LOCKED
    ) due
), claimed AS (
    UPDATE {schema}.job_queue q
    SET status = 'LEASED', attempt = least(q.attempt, 2147483646) + 1, lease_id = gen_random_uuid(), worker_id = ?, leased_at = now(),
        lease_seconds = ?, lease_expires_at = now() + ? * interval '1 second', last_heartbeat_at = now(),
        started_at = coalesce(q.started_at, now()), claim_origin = ?::text,
        execution_started_persisted_at = NULL, updated_at = now()
    WHERE q.ctid = ANY (ARRAY(SELECT place FROM picked))
    RETURNING q.id, q.job_type, q.organization_id, q.run_number, q.attempt, q.interruptions, q.max_attempts, q.timeout_seconds,
        q.priority, q.payload, q.checkpoint, q.lease_id, q.leased_at, q.lease_expires_at, q.started_at, q.retry_policy, q.is_step
), step AS (
    UPDATE {schema}.workflow_steps s
    SET status = 'RUNNING', started_at = coalesce(s.started_at, now()), output = NULL, updated_at = now()
    WHERE s.job_id = ANY (ARRAY(SELECT id FROM claimed WHERE is_step)) AND s.status = 'ENQUEUED'
    RETURNING s.job_id, s.workflow_run_id, s.id, s.step_key
)
SELECT
    c.id, c.job_type, c.organization_id, c.run_number, c.attempt, c.interruptions, c.max_attempts, c.timeout_seconds, c.priority,
    c.payload, c.checkpoint, c.lease_id, c.leased_at, c.lease_expires_at, nullif(c.started_at, c.leased_at) AS earlier_start,
    coalesce(c.retry_policy, d.retry_policy) AS retry_policy, s.workflow_run_id, s.id AS step_id, s.step_key
FROM claimed c
LEFT JOIN {schema}.job_definitions d ON d.job_type = c.job_type
FULL JOIN step s ON s.job_id = c.id
