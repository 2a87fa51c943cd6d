-- Locks the runs that have gates past their deadline, and skips runs that another session has locked. The limit counts gates, not runs.
SELECT r.id
FROM {schema}.workflow_runs r
WHERE r.id = ANY (ARRAY(
    SELECT s.workflow_run_id FROM {schema}.workflow_step_rows s
    WHERE s.is_open_gate AND s.expires_at <= (SELECT clock_timestamp())
    ORDER BY s.expires_at
    LIMIT :limit
))
ORDER BY r.id
FOR NO KEY UPDATE OF r SKIP LOCKED
