-- A CTE: the transactions that keep the database from removing dead rows. Sessions of other roles are visible only to a member of
-- pg_read_all_stats.
holder (xmin, since) AS (
    SELECT backend_xmin, xact_start FROM pg_stat_activity WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()
    UNION ALL
    SELECT xmin, NULL FROM pg_replication_slots WHERE xmin IS NOT NULL
    UNION ALL
    SELECT transaction, prepared FROM pg_prepared_xacts WHERE database = current_database()
)
