-- The jobs of a run that have not ended.
SELECT q.id AS job_id
FROM {schema}.workflow_step_rows s JOIN {schema}.job_queue q ON q.id = s.job_id
WHERE s.workflow_run_id = :run_id AND q.status IN ('PENDING', 'LEASED')
