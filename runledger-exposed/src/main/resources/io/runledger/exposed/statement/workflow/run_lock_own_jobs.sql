-- Like run_lock_jobs, but only for the given jobs in the caller's scope: a caller neither waits for runs outside its scope nor blocks them.
WITH step AS MATERIALIZED (
    SELECT s.id, s.workflow_run_id, s.job_id, s.allow_handler_continuation
    FROM {schema}.workflow_step_rows s JOIN {schema}.job_queue q ON q.id = s.job_id
    WHERE s.job_id = ANY (:job_ids::uuid[]) AND {scope q}
)
SELECT r.id AS run_id, s.id AS step_id, s.job_id, s.allow_handler_continuation, r.context_merge
FROM step s JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE r.id = ANY (ARRAY(SELECT workflow_run_id FROM step))
ORDER BY r.id
FOR NO KEY UPDATE OF r
