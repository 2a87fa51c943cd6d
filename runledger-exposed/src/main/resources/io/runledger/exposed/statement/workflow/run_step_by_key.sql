SELECT s.*
FROM {schema}.workflow_steps s
JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE s.workflow_run_id = :run_id AND s.step_key = :step_key AND {scope r}
