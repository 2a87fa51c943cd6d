SELECT count(*) AS runs FROM {schema}.workflow_runs r WHERE {scope r} {filters}
