SELECT d.dependent_step_id, p.step_key, d.release_mode, d.input_name
FROM {schema}.workflow_step_dependencies d
JOIN {schema}.workflow_step_rows p ON p.workflow_run_id = d.workflow_run_id AND p.id = d.prerequisite_step_id
WHERE d.workflow_run_id = :run_id
ORDER BY p.ordinal
