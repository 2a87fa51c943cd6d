SELECT s.status, count(*) AS steps
FROM {schema}.workflow_steps s
WHERE s.workflow_run_id = :run_id AND EXISTS (SELECT FROM {schema}.workflow_runs r WHERE r.id = :run_id AND {scope r})
GROUP BY s.status
ORDER BY s.status
