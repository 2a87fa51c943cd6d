-- Reads a value from the context of the run that a job belongs to.
SELECT r.context -> :name::text AS value
FROM {schema}.workflow_step_rows s JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE s.job_id = :job_id
