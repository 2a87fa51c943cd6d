-- A step, and whether its output is the given one. Parameters: output, run, key.
SELECT s.*, s.output IS NOT DISTINCT FROM ?::text::jsonb AS same_output
FROM {schema}.workflow_steps s WHERE s.workflow_run_id = ? AND s.step_key = ?
