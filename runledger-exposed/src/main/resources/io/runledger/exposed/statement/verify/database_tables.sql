-- The tables of the ledger's schema with their sizes, the largest first. A table that is dropped meanwhile has no size and is left out.
SELECT * FROM (
    SELECT
        c.relname AS name, pg_total_relation_size(c.oid) AS total_bytes, pg_table_size(c.oid) AS table_bytes,
        pg_indexes_size(c.oid) AS index_bytes, coalesce(s.n_live_tup, 0) AS live_rows, coalesce(s.n_dead_tup, 0) AS dead_rows,
        greatest(s.last_vacuum, s.last_autovacuum) AS vacuumed_at, greatest(s.last_analyze, s.last_autoanalyze) AS analyzed_at
    FROM pg_class c LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
    WHERE c.relkind = 'r' AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = '{schema}.job_queue'::regclass)
) sized
WHERE total_bytes IS NOT NULL
ORDER BY total_bytes DESC, name
