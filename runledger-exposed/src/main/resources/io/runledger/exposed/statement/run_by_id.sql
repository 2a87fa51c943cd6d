SELECT r.* FROM {schema}.workflow_runs r WHERE r.id = ? AND {scope r}
