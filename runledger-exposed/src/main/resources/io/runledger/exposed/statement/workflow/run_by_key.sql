SELECT r.* FROM {schema}.workflow_runs r WHERE r.idempotency_key = :idempotency_key AND r.workflow_type = :workflow_type AND {scope r}
