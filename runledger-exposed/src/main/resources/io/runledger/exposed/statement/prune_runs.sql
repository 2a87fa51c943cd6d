DELETE FROM {schema}.workflow_runs WHERE id = ANY (?::uuid[])
