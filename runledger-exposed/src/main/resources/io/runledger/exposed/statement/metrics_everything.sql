-- Every defined type over all organizations. Counts add up; percentiles do not, so they are taken from the attempts themselves.
WITH total AS (
    SELECT
        job_type, sum(pending_count) AS pending, sum(leased_count) AS leased, sum(stale_leases) AS stale_leases,
        sum(succeeded_24h) AS succeeded, sum(retryable_24h) AS retryable, sum(terminal_24h) AS terminal,
        sum(panicked_24h) AS panicked, sum(timeout_24h) AS timed_out, sum(lease_expired_24h) AS lease_expired,
        sum(dead_lettered_24h) AS dead_lettered
    FROM {schema}.job_metrics_rollup
    GROUP BY job_type
), duration AS (
    SELECT job_type, percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY ms) AS percentiles
    FROM (
        SELECT q.job_type, extract(epoch FROM a.finished_at - a.started_at)::double precision * 1000 AS ms
        FROM {schema}.job_attempts a JOIN {schema}.job_queue q ON q.id = a.job_id
        WHERE a.finished_at >= now() - interval '24 hours'
    ) attempt
    GROUP BY job_type
)
SELECT
    d.job_type, coalesce(t.pending, 0) AS pending, coalesce(t.leased, 0) AS leased, coalesce(t.stale_leases, 0) AS stale_leases,
    coalesce(t.succeeded, 0) AS succeeded, coalesce(t.retryable, 0) AS retryable, coalesce(t.terminal, 0) AS terminal,
    coalesce(t.panicked, 0) AS panicked, coalesce(t.timed_out, 0) AS timed_out, coalesce(t.lease_expired, 0) AS lease_expired,
    coalesce(t.dead_lettered, 0) AS dead_lettered, u.percentiles[1] AS p50_ms, u.percentiles[2] AS p95_ms
FROM {schema}.job_definitions d
LEFT JOIN total t ON t.job_type = d.job_type
LEFT JOIN duration u ON u.job_type = d.job_type
ORDER BY d.job_type
