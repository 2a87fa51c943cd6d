SELECT s.* FROM {schema}.workflow_steps s WHERE s.workflow_run_id = :run_id AND s.step_key = ANY (:step_keys::text[])
