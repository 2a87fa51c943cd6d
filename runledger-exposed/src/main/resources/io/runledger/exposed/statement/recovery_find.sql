-- The recovery that was made under a key, and whether it was the given request. Parameters: step, reason, source run, key.
SELECT r.id, r.status, v.source_step_id IS NOT DISTINCT FROM ?::uuid AND v.reason = ? AND v.mode = 'FULL_REPLAY' AS same
FROM {schema}.workflow_recoveries v JOIN {schema}.workflow_runs r ON r.id = v.recovery_run_id
WHERE v.source_run_id = ? AND v.request_key = ?
