-- The jobs of runs: those that their steps have, and those that steps had before they were retried. Parameters: runs (twice).
SELECT s.job_id FROM {schema}.workflow_steps s WHERE s.workflow_run_id = ANY (?::uuid[]) AND s.job_id IS NOT NULL
UNION
SELECT (j.payload ->> 'job_id')::uuid FROM {schema}.workflow_step_journal j
WHERE j.workflow_run_id = ANY (?::uuid[]) AND j.event_type = 'RELEASED' AND j.payload ->> 'job_id' IS NOT NULL
