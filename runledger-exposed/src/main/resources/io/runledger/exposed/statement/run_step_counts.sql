-- Parameters: run, run, scope.
SELECT s.status, count(*) AS steps
FROM {schema}.workflow_steps s
WHERE s.workflow_run_id = ? AND EXISTS (SELECT FROM {schema}.workflow_runs r WHERE r.id = ? AND {scope r})
GROUP BY s.status
ORDER BY s.status
