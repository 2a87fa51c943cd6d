-- Parameters: run, run, scope, limit. The last mutations, oldest first.
SELECT * FROM (
    SELECT m.*
    FROM {schema}.workflow_run_mutations m
    WHERE m.workflow_run_id = ? AND EXISTS (SELECT FROM {schema}.workflow_runs r WHERE r.id = ? AND {scope r})
    ORDER BY m.created_at DESC, m.id DESC
    LIMIT ?
) last
ORDER BY created_at, id
