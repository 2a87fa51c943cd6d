DELETE FROM {schema}.workflow_runs WHERE id = ANY (:run_ids::uuid[])
