-- The run that holds an active key; it stays until the caller's transaction ends. Parameters: scope, key.
SELECT r.id, r.status
FROM {schema}.workflow_active_claims a JOIN {schema}.workflow_runs r ON r.id = a.workflow_run_id
WHERE a.scope = ? AND a.active_key = ?
FOR KEY SHARE OF r
