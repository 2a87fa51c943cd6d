SELECT r.* FROM {schema}.workflow_runs r WHERE r.workflow_type = :workflow_type AND {scope r} ORDER BY r.id DESC LIMIT 1
