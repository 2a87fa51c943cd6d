SELECT r.*
FROM {schema}.workflow_step_rows s
JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE s.job_id = :job_id AND {scope r}
