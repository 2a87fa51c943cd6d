SELECT * FROM (
    SELECT e.* FROM {schema}.workflow_step_events e WHERE e.workflow_run_id = :run_id ORDER BY e.id DESC LIMIT :limit
) last
ORDER BY id
