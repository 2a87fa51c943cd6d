SELECT r.* FROM {schema}.workflow_runs r WHERE r.id = :run_id AND {scope r}
