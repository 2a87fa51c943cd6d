-- Gives a run its active key back, unless another run holds the key.
INSERT INTO {schema}.workflow_active_claims AS a (workflow_run_id, scope, active_key) VALUES (:run_id, :scope, :active_key)
ON CONFLICT (scope, active_key) DO UPDATE SET release_pending = false WHERE a.workflow_run_id = excluded.workflow_run_id
RETURNING a.workflow_run_id
