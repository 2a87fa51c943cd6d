-- The load of the whole ledger: one row per defined type, with the numbers of the ledger in every row; one row without a type if no type is
-- defined. Durations are in seconds.
--
-- Reads rows of live jobs, open dead letters, open runs and open gates, through their partial indexes, and no ended rows. Each count reads at
-- most :limit index entries: per type those of the jobs that are due, wait for their time, are paused, and are dead letters; for all types
-- together the leased jobs, the runs, the gates and the schedules. ORDER BY in the order of the index keeps the planner from a sequential
-- scan, which it would choose for a large :limit.
-- The oldest due job is the first one of a (type, priority) pair. level finds the priorities of jobs that were due from the start, the lowest
-- first, by skipping in the index from one to the next, and reads at most 100: the lowest wait the longest. Delayed jobs have an index by
-- time. A time that was set to infinity by hand has no age.
WITH RECURSIVE type AS MATERIALIZED (
    SELECT d.job_type, d.is_paused FROM {schema}.job_definitions d
), level AS (
    SELECT t.job_type, 1 AS nth, least(
        (
            SELECT q.priority FROM {schema}.job_queue q
            WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = t.job_type
            ORDER BY q.priority LIMIT 1
        ),
        (
            SELECT q.priority FROM {schema}.job_queue q
            WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = t.job_type
            ORDER BY q.priority LIMIT 1
        )
    ) AS priority
    FROM type t
    UNION ALL
    SELECT l.job_type, l.nth + 1, least(
        (
            SELECT q.priority FROM {schema}.job_queue q
            WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = l.job_type
                AND q.priority > l.priority
            ORDER BY q.priority LIMIT 1
        ),
        (
            SELECT q.priority FROM {schema}.job_queue q
            WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND NOT q.is_paused AND NOT q.is_delayed
                AND q.job_type = l.job_type AND q.priority > l.priority
            ORDER BY q.priority LIMIT 1
        )
    )
    FROM level l
    WHERE l.priority IS NOT NULL AND l.nth < 100
), oldest AS (
    SELECT f.job_type, min(f.next_run_at) AS due_at
    FROM (
        SELECT l.job_type, first.next_run_at FROM level l
        CROSS JOIN LATERAL (
            (
                SELECT q.next_run_at FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed
                    AND q.job_type = l.job_type AND q.priority = l.priority
                ORDER BY q.next_run_at, q.id
                LIMIT 1
            )
            UNION ALL
            (
                SELECT q.next_run_at FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND NOT q.is_paused AND NOT q.is_delayed
                    AND q.job_type = l.job_type AND q.priority = l.priority
                ORDER BY q.next_run_at, q.id
                LIMIT 1
            )
        ) first
        WHERE l.priority IS NOT NULL
        UNION ALL
        SELECT t.job_type, first.next_run_at FROM type t
        CROSS JOIN LATERAL (
            (
                SELECT q.next_run_at FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = t.job_type
                    AND q.next_run_at <= now()
                ORDER BY q.next_run_at
                LIMIT 1
            )
            UNION ALL
            (
                SELECT q.next_run_at FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND NOT q.is_paused AND q.is_delayed
                    AND q.job_type = t.job_type AND q.next_run_at <= now()
                ORDER BY q.next_run_at
                LIMIT 1
            )
        ) first
    ) f
    GROUP BY f.job_type
), lease AS MATERIALIZED (
    SELECT q.job_type, q.lease_expires_at FROM {schema}.job_queue q WHERE q.status = 'LEASED' ORDER BY q.lease_expires_at LIMIT :limit
), leased AS (
    SELECT l.job_type, count(*) AS jobs FROM lease l GROUP BY l.job_type
), expired AS (
    SELECT count(*) AS leases, min(l.lease_expires_at) AS first FROM lease l WHERE l.lease_expires_at < now()
), seen AS (
    SELECT
        w.state, w.slots, w.busy_slots, w.held_jobs,
        clock_timestamp() > w.beat_at + 3 * w.beat_ms * interval '1 millisecond' AS is_lost
    FROM {schema}.workers w
), worker AS (
    SELECT
        count(*) FILTER (WHERE NOT is_lost AND state = 'WORKING') AS working,
        count(*) FILTER (WHERE NOT is_lost AND state IN ('DRAINING', 'DRAINED')) AS draining,
        count(*) FILTER (WHERE NOT is_lost AND state NOT IN ('WORKING', 'DRAINING', 'DRAINED')) AS stopping,
        count(*) FILTER (WHERE is_lost) AS lost,
        coalesce(sum(slots) FILTER (WHERE NOT is_lost), 0)::bigint AS slots,
        coalesce(sum(busy_slots) FILTER (WHERE NOT is_lost), 0)::bigint AS busy_slots,
        coalesce(sum(held_jobs) FILTER (WHERE NOT is_lost), 0)::bigint AS held_jobs
    FROM seen
), overdue AS (
    SELECT count(*) AS schedules, min(due.next_fire_at) AS first
    FROM (
        SELECT s.next_fire_at FROM {schema}.job_schedules s
        WHERE s.is_active AND s.next_fire_at <= now() - :late_us::bigint * interval '1 microsecond'
        ORDER BY s.next_fire_at
        LIMIT :limit
    ) due
), run AS (
    SELECT count(*) AS open
    FROM (
        SELECT FROM {schema}.workflow_runs r
        WHERE r.status IN ('RUNNING', 'WAITING_FOR_EXTERNAL')
        ORDER BY r.workflow_type, r.id
        LIMIT :limit
    ) live
), gate AS (
    SELECT count(*) AS waiting, min(open.released_at) AS first
    FROM (
        SELECT s.released_at FROM {schema}.workflow_step_rows s WHERE s.is_open_gate ORDER BY s.released_at, s.id LIMIT :limit
    ) open
), load AS (
    SELECT
        t.job_type, t.is_paused, at_once.jobs + late.jobs AS due, future.jobs AS scheduled, paused.jobs AS paused,
        coalesce(leased.jobs, 0) AS running, dead.jobs AS dead_letters, oldest.due_at,
        greatest(at_once.jobs, late.jobs, future.jobs, paused.jobs, dead.jobs) >= :limit AS is_capped
    FROM type t
    LEFT JOIN leased ON leased.job_type = t.job_type
    LEFT JOIN oldest ON oldest.job_type = t.job_type
    CROSS JOIN LATERAL (
        SELECT count(*) AS jobs
        FROM (
            (
                SELECT FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = t.job_type
                ORDER BY q.priority DESC, q.next_run_at, q.id
                LIMIT :limit
            )
            UNION ALL
            (
                SELECT FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = t.job_type
                ORDER BY q.priority DESC, q.next_run_at, q.id
                LIMIT :limit
            )
        ) counted
    ) at_once
    CROSS JOIN LATERAL (
        SELECT count(*) AS jobs
        FROM (
            (
                SELECT FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = t.job_type
                    AND q.next_run_at <= now()
                ORDER BY q.next_run_at
                LIMIT :limit
            )
            UNION ALL
            (
                SELECT FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND NOT q.is_paused AND q.is_delayed
                    AND q.job_type = t.job_type AND q.next_run_at <= now()
                ORDER BY q.next_run_at
                LIMIT :limit
            )
        ) counted
    ) late
    CROSS JOIN LATERAL (
        SELECT count(*) AS jobs
        FROM (
            (
                SELECT FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = t.job_type
                    AND q.next_run_at > now()
                ORDER BY q.next_run_at
                LIMIT :limit
            )
            UNION ALL
            (
                SELECT FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND NOT q.is_paused AND q.is_delayed
                    AND q.job_type = t.job_type AND q.next_run_at > now()
                ORDER BY q.next_run_at
                LIMIT :limit
            )
        ) counted
    ) future
    CROSS JOIN LATERAL (
        SELECT count(*) AS jobs
        FROM (
            (
                SELECT FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND q.is_paused AND q.job_type = t.job_type
                ORDER BY q.is_delayed, q.priority DESC, q.next_run_at, q.id
                LIMIT :limit
            )
            UNION ALL
            (
                SELECT FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND q.is_paused AND q.job_type = t.job_type
                ORDER BY q.is_delayed, q.priority DESC, q.next_run_at, q.id
                LIMIT :limit
            )
        ) counted
    ) paused
    CROSS JOIN LATERAL (
        SELECT count(*) AS jobs
        FROM (
            SELECT FROM {schema}.job_queue q
            WHERE q.status = 'DEAD_LETTERED' AND q.job_type = t.job_type
            ORDER BY q.id
            LIMIT :limit
        ) counted
    ) dead
)
SELECT
    load.job_type, coalesce(load.is_capped, false) AS is_capped, load.running, load.dead_letters,
    CASE WHEN load.is_paused THEN 0 ELSE load.due END AS due,
    load.scheduled, CASE WHEN load.is_paused THEN load.paused + load.due ELSE load.paused END AS paused,
    CASE WHEN NOT load.is_paused AND isfinite(load.due_at) THEN date_part('epoch', now() - load.due_at) END AS oldest_due,
    expired.leases AS expired_leases,
    CASE WHEN isfinite(expired.first) THEN date_part('epoch', now() - expired.first) END AS longest_expiry,
    worker.working, worker.draining, worker.stopping, worker.lost, worker.slots, worker.busy_slots, worker.held_jobs,
    overdue.schedules AS late_schedules, CASE WHEN isfinite(overdue.first) THEN date_part('epoch', now() - overdue.first) END AS longest_lateness,
    run.open AS open_runs, gate.waiting AS waiting_gates,
    CASE WHEN isfinite(gate.first) THEN date_part('epoch', now() - gate.first) END AS longest_gate_wait
FROM expired CROSS JOIN worker CROSS JOIN overdue CROSS JOIN run CROSS JOIN gate
LEFT JOIN load ON true
ORDER BY load.job_type
