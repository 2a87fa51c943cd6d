-- Locks runs that have gates past their deadline; those that somebody holds are left for the next time. Parameter: limit of gates.
SELECT r.id
FROM {schema}.workflow_runs r
WHERE r.id = ANY (ARRAY(
    SELECT s.workflow_run_id FROM {schema}.workflow_steps s
    WHERE s.is_open_gate AND s.expires_at <= (SELECT clock_timestamp())
    ORDER BY s.expires_at
    LIMIT ?
))
ORDER BY r.id
FOR NO KEY UPDATE OF r SKIP LOCKED
