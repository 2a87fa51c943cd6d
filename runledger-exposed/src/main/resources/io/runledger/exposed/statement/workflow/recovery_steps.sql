SELECT s.* FROM {schema}.workflow_steps s WHERE s.workflow_run_id = :run_id ORDER BY s.ordinal
