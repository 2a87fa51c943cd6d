-- Every defined type in a scope: the live jobs, and the attempts and dead letters that ended within a window.
-- Live jobs have indexes of their own, attempts and dead letters are found by the time they ended, so no older rows are read. LATERAL and
-- OFFSET keep the planner to one lookup per attempt of the window, whatever number it estimates.
WITH pending AS (
    SELECT p.job_type, count(*) AS jobs
    FROM (
        SELECT q.job_type FROM {schema}.job_queue q WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND {scope q}
        UNION ALL
        SELECT q.job_type FROM {schema}.job_queue q WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND {scope q}
    ) p
    GROUP BY p.job_type
), leased AS (
    SELECT q.job_type, count(*) AS jobs, count(*) FILTER (WHERE q.lease_expires_at < now()) AS stale
    FROM {schema}.job_queue q
    WHERE q.status = 'LEASED' AND {scope q}
    GROUP BY q.job_type
), ended AS (
    SELECT
        q.job_type,
        count(*) FILTER (WHERE a.outcome = 'SUCCEEDED' AND q.status = 'SUCCEEDED' AND q.run_number = a.run_number) AS succeeded,
        count(*) FILTER (WHERE a.outcome = 'RETRYABLE') AS retryable,
        count(*) FILTER (WHERE a.outcome = 'TERMINAL') AS terminal,
        count(*) FILTER (WHERE a.outcome = 'PANICKED') AS panicked,
        count(*) FILTER (WHERE a.outcome = 'TIMEOUT') AS timed_out,
        count(*) FILTER (WHERE a.outcome = 'LEASE_EXPIRED') AS lease_expired,
        percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (
            ORDER BY extract(epoch FROM a.finished_at - a.started_at)::double precision * 1000
        ) AS percentiles
    FROM {schema}.job_attempts a
    CROSS JOIN LATERAL (
        SELECT q.job_type, q.status, q.run_number FROM {schema}.job_queue q WHERE q.id = a.job_id AND {scope q} OFFSET 0
    ) q
    WHERE a.finished_at >= now() - :window_us::bigint * interval '1 microsecond'
    GROUP BY q.job_type
), dead AS (
    -- Only jobs that still wait for an operator: a requeued job does not count.
    SELECT q.job_type, count(*) AS jobs
    FROM {schema}.job_queue q
    WHERE q.status = 'DEAD_LETTERED' AND q.finished_at >= now() - :window_us::bigint * interval '1 microsecond' AND {scope q}
    GROUP BY q.job_type
)
SELECT
    d.job_type, coalesce(p.jobs, 0) AS pending, coalesce(l.jobs, 0) AS leased, coalesce(l.stale, 0) AS stale_leases,
    coalesce(e.succeeded, 0) AS succeeded, coalesce(e.retryable, 0) AS retryable, coalesce(e.terminal, 0) AS terminal,
    coalesce(e.panicked, 0) AS panicked, coalesce(e.timed_out, 0) AS timed_out, coalesce(e.lease_expired, 0) AS lease_expired,
    coalesce(g.jobs, 0) AS dead_lettered, e.percentiles[1] AS p50_ms, e.percentiles[2] AS p95_ms
FROM {schema}.job_definitions d
LEFT JOIN pending p ON p.job_type = d.job_type
LEFT JOIN leased l ON l.job_type = d.job_type
LEFT JOIN ended e ON e.job_type = d.job_type
LEFT JOIN dead g ON g.job_type = d.job_type
ORDER BY d.job_type
