-- Locks the runs whose steps made the given jobs, in id order. Answers with one row per job under a lock. Callers that must not wait
-- add SKIP LOCKED.
SELECT r.id AS run_id, s.job_id, s.allow_handler_continuation
FROM {schema}.workflow_steps s JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE s.job_id = ANY (?::uuid[])
ORDER BY r.id
FOR NO KEY UPDATE OF r
