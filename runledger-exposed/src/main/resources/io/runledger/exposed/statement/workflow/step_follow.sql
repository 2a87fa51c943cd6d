-- Copies the outcomes of jobs to their steps. Returns the changed steps. The caller holds the locks on the runs and the jobs.
UPDATE {schema}.workflow_steps s
SET status = CASE q.status
        WHEN 'SUCCEEDED' THEN 'SUCCEEDED' WHEN 'DEAD_LETTERED' THEN 'FAILED' WHEN 'CANCELED' THEN 'CANCELED' ELSE 'ENQUEUED'
    END::{schema}.workflow_step_status,
    status_reason = CASE WHEN q.status = 'SUCCEEDED' THEN 'SUCCEEDED' ELSE q.status_reason END,
    last_error_code = q.last_error_code, last_error_message = q.last_error_message, output = q.output, finished_at = q.finished_at,
    updated_at = now()
FROM {schema}.job_queue q
WHERE s.job_id = ANY (:job_ids::uuid[]) AND q.id = s.job_id AND s.status IN ('ENQUEUED', 'RUNNING')
RETURNING s.id, s.workflow_run_id, s.status
