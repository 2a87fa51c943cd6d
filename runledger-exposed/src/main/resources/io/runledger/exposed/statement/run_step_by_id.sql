-- Parameters: step, run's scope.
SELECT s.*
FROM {schema}.workflow_steps s
JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE s.id = ? AND {scope r}
