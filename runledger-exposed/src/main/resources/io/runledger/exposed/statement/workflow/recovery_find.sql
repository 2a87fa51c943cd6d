-- Finds the recovery that was made under a key, and whether its request equals the given one.
SELECT r.id, r.status, v.source_step_id IS NOT DISTINCT FROM :source_step_id::uuid AND v.reason = :reason AND v.mode = 'FULL_REPLAY' AS same
FROM {schema}.workflow_recoveries v JOIN {schema}.workflow_runs r ON r.id = v.recovery_run_id
WHERE v.source_run_id = :source_run_id AND v.request_key = :request_key
