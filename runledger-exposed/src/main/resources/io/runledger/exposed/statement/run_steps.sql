-- Parameters: run, run, scope, ordinal and id to continue after, limit or null.
SELECT s.*
FROM {schema}.workflow_steps s
WHERE s.workflow_run_id = ? AND EXISTS (SELECT FROM {schema}.workflow_runs r WHERE r.id = ? AND {scope r}) AND (s.ordinal, s.id) > (?, ?)
ORDER BY s.ordinal, s.id
LIMIT ?
