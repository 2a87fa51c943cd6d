-- Reads the number of dead rows in the tables that change with every job or step.
SELECT relname AS name, n_live_tup AS live_rows, n_dead_tup AS dead_rows, greatest(last_vacuum, last_autovacuum) AS vacuumed_at
FROM pg_stat_user_tables
WHERE relid = ANY (ARRAY[
    '{schema}.job_queue', '{schema}.job_attempts', '{schema}.workflow_runs', '{schema}.workflow_step_rows'
]::regclass[])
ORDER BY relname
