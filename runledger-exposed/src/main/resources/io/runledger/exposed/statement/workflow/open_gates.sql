-- A page of the gates that wait to be completed, the longest wait first.
SELECT
    s.id AS step_id, s.workflow_run_id, r.workflow_type, r.organization_id, s.step_key, s.payload, s.released_at, s.expires_at,
    s.expiry_outcome
FROM {schema}.workflow_step_rows s
JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE s.is_open_gate AND {scope r} AND (s.released_at, s.id) > (:after_released_at, :after_id)
ORDER BY s.released_at, s.id
LIMIT :limit
