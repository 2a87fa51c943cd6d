-- Parameters: run, run, scope, after, limit.
SELECT e.*
FROM {schema}.workflow_step_events e
WHERE e.workflow_run_id = ? AND EXISTS (SELECT FROM {schema}.workflow_runs r WHERE r.id = ? AND {scope r}) AND e.id > ?
ORDER BY e.id
LIMIT ?
