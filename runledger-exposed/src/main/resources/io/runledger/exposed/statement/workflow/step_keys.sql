SELECT s.step_key FROM {schema}.workflow_steps s WHERE s.workflow_run_id = :run_id
