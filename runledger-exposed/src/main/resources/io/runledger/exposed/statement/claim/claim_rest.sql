-- Leases due jobs as claim does, if claim leased fewer jobs than it saw because other sessions had locked them. It goes from priority to
-- priority, highest first, and takes jobs of each type until :limit is reached or no further due job can be locked. Within a priority
-- the types keep their given order. It costs more than claim: claim knows the number of jobs to lock of each type, this statement tries.
-- A null in :type_limits means that the type has no limit of its own.
--
-- Due jobs are found as in claim. The notes there on damaged rows and on the planner apply here too.
-- turn is the position within a priority: an even turn takes the jobs of a type that were due from the start, the odd turn after it
-- takes the delayed jobs of the same type. type_rooms is the number of jobs that each type may still take.
WITH RECURSIVE asked AS MATERIALIZED (
    SELECT t.job_type, t.type_limit, row_number() OVER ()::int AS nth
    FROM unnest(:job_types::text[], :type_limits::int[]) AS t (job_type, type_limit)
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
), rest AS (
    SELECT
        2147483647::bigint AS priority, 0 AS turn, :limit::int AS room, ARRAY(SELECT type_limit FROM asked ORDER BY nth) AS type_rooms,
        NULL::tid[] AS places
    UNION ALL
    SELECT
        next.priority, next.turn, r.room - took.jobs,
        r.type_rooms[:next.nth - 1] || (r.type_rooms[next.nth] - took.jobs) || r.type_rooms[next.nth + 1:], took.places
    FROM rest r
    CROSS JOIN LATERAL (
        SELECT c.nth, c.job_type, c.is_delayed, c.turn, c.priority
        FROM (
            SELECT a.nth, a.job_type, false AS is_delayed, 2 * a.nth AS turn, (
                SELECT q.priority FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = a.job_type
                    AND q.priority <= r.priority - (2 * a.nth <= r.turn)::int
                ORDER BY q.priority DESC LIMIT 1
            ) AS priority
            FROM asked a
            UNION ALL
            SELECT a.nth, a.job_type, true, 2 * a.nth + 1, l.priority
            FROM delayed l JOIN asked a ON a.job_type = l.job_type
            WHERE l.priority <= r.priority - (2 * a.nth + 1 <= r.turn)::int
        ) c
        WHERE c.priority IS NOT NULL AND coalesce(r.type_rooms[c.nth], 1) > 0
        ORDER BY c.priority DESC, c.turn
        LIMIT 1
    ) next
    CROSS JOIN LATERAL (
        SELECT array_agg(due.place) AS places, count(*)::int AS jobs
        FROM (
            SELECT q.ctid AS place FROM {schema}.job_queue q
            WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.is_delayed = next.is_delayed AND q.job_type = next.job_type
                AND q.priority = next.priority AND q.next_run_at <= now()
            ORDER BY q.next_run_at, q.id
            LIMIT least(r.room, r.type_rooms[next.nth])
            FOR UPDATE SKIP LOCKED
        ) due
    ) took
    WHERE r.room > 0
), claimed AS (
    UPDATE {schema}.job_queue q
    SET status = 'LEASED', attempt = least(q.attempt, 2147483646) + 1, lease_id = gen_random_uuid(), worker_id = :worker,
        leased_at = statement_timestamp(), lease_seconds = :lease_seconds,
        lease_expires_at = statement_timestamp() + :lease_seconds * interval '1 second',
        last_heartbeat_at = statement_timestamp(), started_at = coalesce(q.started_at, statement_timestamp()), claim_origin = :origin::text,
        execution_started_persisted_at = NULL, updated_at = statement_timestamp()
    WHERE q.ctid = ANY (ARRAY(SELECT unnest(places) FROM rest))
    RETURNING q.id, q.job_type, q.organization_id, q.run_number, q.attempt, q.interruptions, q.max_attempts, q.timeout_seconds,
        q.priority, q.payload, q.checkpoint, q.lease_id, q.leased_at, q.lease_expires_at, q.started_at, q.retry_policy, q.is_step
), step AS (
    UPDATE {schema}.workflow_steps s
    SET status = 'RUNNING', started_at = coalesce(s.started_at, statement_timestamp()), output = NULL, updated_at = statement_timestamp()
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
