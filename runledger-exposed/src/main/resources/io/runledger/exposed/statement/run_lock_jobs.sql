-- Locks the runs whose steps made the given jobs, in id order. Answers with one row per job under a lock. Callers that must not wait
-- add SKIP LOCKED. ARRAY keeps the planner on the primary key whatever it thinks of the number of jobs.
WITH step AS MATERIALIZED (
    SELECT s.workflow_run_id, s.job_id, s.allow_handler_continuation
    FROM {schema}.workflow_steps s WHERE s.job_id = ANY (?::uuid[])
)
SELECT r.id AS run_id, s.job_id, s.allow_handler_continuation, r.context_merge
FROM step s JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE r.id = ANY (ARRAY(SELECT workflow_run_id FROM step))
ORDER BY r.id
FOR NO KEY UPDATE OF r
