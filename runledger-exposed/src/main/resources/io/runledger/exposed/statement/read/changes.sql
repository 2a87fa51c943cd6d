-- Marks that differ if the ledger, one of the jobs or one of the runs has changed. Reads the named rows by key and the counters that
-- PostgreSQL keeps of each table; a replica does not keep them, so its position in the log stands for them.
SELECT
    'ledger' AS kind, NULL::uuid AS id,
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text
        ELSE (
            SELECT concat_ws(' ', sum(t.n_tup_ins), sum(t.n_tup_upd), sum(t.n_tup_del))
            FROM pg_stat_user_tables t WHERE t.schemaname = :schema
        )
    END AS mark
UNION ALL
SELECT 'job', q.id, concat_ws(' ', q.updated_at, q.status, q.run_number, q.attempt, q.stage, q.progress_done)
FROM {schema}.job_queue q
WHERE q.id = ANY (:job_ids::uuid[])
UNION ALL
SELECT
    'run', r.id, concat_ws(' ', r.updated_at, r.status, r.paused_at, (
        SELECT concat_ws(' ', max(q.updated_at), sum(q.attempt), sum(q.progress_done))
        FROM {schema}.workflow_step_rows s JOIN {schema}.job_queue q ON q.id = s.job_id
        WHERE s.workflow_run_id = r.id
    ))
FROM {schema}.workflow_runs r
WHERE r.id = ANY (:run_ids::uuid[])
