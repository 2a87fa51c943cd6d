SELECT r.*
FROM {schema}.workflow_steps s
JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE s.job_id = :job_id AND {scope r}
