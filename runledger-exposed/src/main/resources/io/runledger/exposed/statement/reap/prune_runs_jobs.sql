-- The jobs of runs: the current jobs of their steps, which exist if the steps were released, and the jobs that steps had before a retry.
SELECT s.job_id FROM {schema}.workflow_step_rows s WHERE s.workflow_run_id = ANY (:run_ids::uuid[]) AND s.job_id IS NOT NULL
UNION
SELECT (j.payload ->> 'job_id')::uuid FROM {schema}.workflow_step_journal j
WHERE j.workflow_run_id = ANY (:run_ids::uuid[]) AND j.event_type = 'RELEASED' AND j.payload ->> 'job_id' IS NOT NULL
