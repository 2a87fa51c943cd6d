-- Gives a run its active key back, unless another run holds it now. Parameters: run, scope, key.
INSERT INTO {schema}.workflow_active_claims AS a (workflow_run_id, scope, active_key) VALUES (?, ?, ?)
ON CONFLICT (scope, active_key) DO UPDATE SET release_pending = false WHERE a.workflow_run_id = excluded.workflow_run_id
RETURNING a.workflow_run_id
