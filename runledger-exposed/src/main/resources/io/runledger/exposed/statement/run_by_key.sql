SELECT r.* FROM {schema}.workflow_runs r WHERE r.idempotency_key = ? AND r.workflow_type = ? AND {scope r}
