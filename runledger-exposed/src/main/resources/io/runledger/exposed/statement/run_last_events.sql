SELECT * FROM (
    SELECT e.* FROM {schema}.workflow_step_events e WHERE e.workflow_run_id = ? ORDER BY e.id DESC LIMIT ?
) last
ORDER BY id
