-- Every defined type in a scope that the rollup has at most one row for: the global jobs, or those of one organization.
SELECT
    d.job_type, coalesce(m.pending_count, 0) AS pending, coalesce(m.leased_count, 0) AS leased,
    coalesce(m.stale_leases, 0) AS stale_leases, coalesce(m.succeeded_24h, 0) AS succeeded,
    coalesce(m.retryable_24h, 0) AS retryable, coalesce(m.terminal_24h, 0) AS terminal, coalesce(m.panicked_24h, 0) AS panicked,
    coalesce(m.timeout_24h, 0) AS timed_out, coalesce(m.lease_expired_24h, 0) AS lease_expired,
    coalesce(m.dead_lettered_24h, 0) AS dead_lettered, m.p50_duration_ms_24h AS p50_ms, m.p95_duration_ms_24h AS p95_ms
FROM {schema}.job_definitions d
LEFT JOIN {schema}.job_metrics_rollup m ON m.job_type = d.job_type AND {scope m}
ORDER BY d.job_type
