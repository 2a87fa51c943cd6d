SELECT e.*
FROM {schema}.workflow_step_events e
WHERE e.workflow_run_id = :run_id AND EXISTS (SELECT FROM {schema}.workflow_runs r WHERE r.id = :run_id AND {scope r}) AND e.id > :after
ORDER BY e.id
LIMIT :limit
