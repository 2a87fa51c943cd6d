-- Reads expired leases, drains, and the oldest snapshots that keep the database from removing dead rows. Durations are in microseconds.
-- Sessions of other roles are visible only to a member of pg_read_all_stats.
WITH expired AS (
    SELECT count(*) AS leases, min(lease_expires_at) FILTER (WHERE isfinite(lease_expires_at)) AS first
    FROM {schema}.job_queue WHERE status = 'LEASED' AND lease_expires_at < now()
), standing AS (
    SELECT count(*) AS drains, min(ordered_at) AS first
    FROM {schema}.worker_orders WHERE kind = 'DRAIN' AND lifted_at IS NULL AND (ends_at IS NULL OR ends_at > now())
),
{fragment/snapshot_holders},
pinned AS (
    SELECT max(age(xmin)) AS transactions, min(since) AS since FROM holder
)
SELECT
    expired.leases, (extract(epoch FROM now() - expired.first) * 1000000)::bigint AS longest_expiry_us,
    standing.drains, (extract(epoch FROM now() - standing.first) * 1000000)::bigint AS longest_drain_us,
    coalesce(pinned.transactions, 0) AS snapshot_transactions,
    (extract(epoch FROM now() - pinned.since) * 1000000)::bigint AS snapshot_us
FROM expired CROSS JOIN standing CROSS JOIN pinned
