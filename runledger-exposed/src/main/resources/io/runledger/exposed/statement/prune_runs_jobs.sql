SELECT s.job_id FROM {schema}.workflow_steps s WHERE s.workflow_run_id = ANY (?::uuid[]) AND s.job_id IS NOT NULL
