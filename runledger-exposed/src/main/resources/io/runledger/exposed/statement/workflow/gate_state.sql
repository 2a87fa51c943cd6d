-- Reads a step, and whether its output equals the given one.
SELECT s.*, s.output IS NOT DISTINCT FROM :output::text::jsonb AS same_output
FROM {schema}.workflow_steps s WHERE s.workflow_run_id = :run_id AND s.step_key = :step_key
