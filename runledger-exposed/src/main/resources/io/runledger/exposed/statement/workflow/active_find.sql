-- Finds the run that holds an active key. The lock keeps the run from being deleted until the caller's transaction ends.
SELECT r.id, r.status
FROM {schema}.workflow_active_claims a JOIN {schema}.workflow_runs r ON r.id = a.workflow_run_id
WHERE a.scope = :scope AND a.active_key = :active_key
FOR KEY SHARE OF r
