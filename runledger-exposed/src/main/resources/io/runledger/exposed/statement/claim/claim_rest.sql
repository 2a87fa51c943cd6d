-- Leases due jobs as claim does, if claim leased fewer jobs than it saw because other sessions had locked them. It goes from priority to
-- priority, highest first, and takes jobs of each type until :limit is reached or no further due job can be locked. Within a priority
-- the types keep their given order. It costs more than claim: claim knows the number of jobs to lock of each type, this statement tries.
-- A null in :type_limits means that the type has no limit of its own.
--
-- turn is the position within a priority: an even turn takes the jobs of a type that were due from the start, the odd turn after it
-- takes the delayed jobs of the same type. type_rooms is the number of jobs that each type may still take.
WITH RECURSIVE asked AS MATERIALIZED (
    SELECT t.job_type, t.type_limit, row_number() OVER ()::int AS nth
    FROM unnest(:job_types::text[], :type_limits::int[]) AS t (job_type, type_limit)
    WHERE NOT EXISTS (SELECT FROM {schema}.job_definitions d WHERE d.job_type = t.job_type AND d.is_paused)
),
{fragment/delayed_priorities},
rest AS (
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
                WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = a.job_type
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
            WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed = next.is_delayed
                AND q.job_type = next.job_type
                AND q.priority = next.priority AND q.next_run_at <= now()
            ORDER BY q.next_run_at, q.id
            LIMIT least(r.room, r.type_rooms[next.nth])
            FOR UPDATE SKIP LOCKED
        ) due
    ) took
    WHERE r.room > 0
), picked AS (
    SELECT unnest(places) AS place FROM rest
),
{fragment/lease_picked}
SELECT * FROM leased
