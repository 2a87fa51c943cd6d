SELECT s.step_key FROM {schema}.workflow_step_rows s WHERE s.workflow_run_id = :run_id
