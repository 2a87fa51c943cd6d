-- A value in the context of the run that made a job. Parameters: name, job.
SELECT r.context -> ?::text AS value
FROM {schema}.workflow_steps s JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE s.job_id = ?
