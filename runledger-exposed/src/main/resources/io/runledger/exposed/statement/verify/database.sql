-- The server, the size of the database, its connections, the oldest snapshot, and when the oldest ended job ended: the first entry of each
-- status in the index that retention reads.
WITH {fragment/snapshot_holders}, ended AS (
    (SELECT q.finished_at FROM {schema}.job_queue q
        WHERE q.status = 'SUCCEEDED' AND q.finished_at IS NOT NULL AND NOT q.is_step ORDER BY q.finished_at, q.id LIMIT 1)
    UNION ALL
    (SELECT q.finished_at FROM {schema}.job_queue q
        WHERE q.status = 'DEAD_LETTERED' AND q.finished_at IS NOT NULL AND NOT q.is_step ORDER BY q.finished_at, q.id LIMIT 1)
    UNION ALL
    (SELECT q.finished_at FROM {schema}.job_queue q
        WHERE q.status = 'CANCELED' AND q.finished_at IS NOT NULL AND NOT q.is_step ORDER BY q.finished_at, q.id LIMIT 1)
)
SELECT
    current_setting('server_version') AS server_version, current_database()::text AS database_name,
    pg_database_size(current_database()) AS database_bytes,
    (SELECT (extract(epoch FROM clock_timestamp() - min(since)) * 1000000)::bigint FROM holder) AS snapshot_us,
    (SELECT numbackends FROM pg_stat_database WHERE datname = current_database()) AS connections,
    current_setting('max_connections')::int AS max_connections,
    (SELECT min(finished_at) FROM ended WHERE isfinite(finished_at)) AS oldest_end_at
