-- Locks the runs whose steps the given jobs belong to, in id order. Returns one row per job whose run it locked. Callers that must not wait
-- append SKIP LOCKED. ARRAY keeps the planner on the primary key, whatever number of jobs it estimates.
WITH step AS MATERIALIZED (
    SELECT s.id, s.workflow_run_id, s.job_id, s.allow_handler_continuation
    FROM {schema}.workflow_step_rows s WHERE s.job_id = ANY (:job_ids::uuid[])
)
SELECT r.id AS run_id, s.id AS step_id, s.job_id, s.allow_handler_continuation, r.context_merge
FROM step s JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE r.id = ANY (ARRAY(SELECT workflow_run_id FROM step))
ORDER BY r.id
FOR NO KEY UPDATE OF r
