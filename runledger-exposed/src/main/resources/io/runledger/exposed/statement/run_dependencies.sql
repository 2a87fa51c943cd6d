-- Parameters: run, run, scope, prerequisite and dependent to continue after, limit or null.
SELECT d.*
FROM {schema}.workflow_step_dependencies d
WHERE d.workflow_run_id = ? AND EXISTS (SELECT FROM {schema}.workflow_runs r WHERE r.id = ? AND {scope r})
    AND (d.prerequisite_step_id, d.dependent_step_id) > (?, ?)
ORDER BY d.prerequisite_step_id, d.dependent_step_id
LIMIT ?
