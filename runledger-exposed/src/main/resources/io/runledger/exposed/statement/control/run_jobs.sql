-- The jobs of a run that have not ended.
SELECT s.job_id FROM {schema}.workflow_steps s
WHERE s.workflow_run_id = :run_id AND s.status IN ('ENQUEUED', 'RUNNING') AND s.job_id IS NOT NULL
