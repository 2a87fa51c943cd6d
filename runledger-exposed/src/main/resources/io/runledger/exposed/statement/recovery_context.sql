-- The context that a run was started with. Parameter: run.
SELECT coalesce(r.enqueue_request->'context', '{}') AS context FROM {schema}.workflow_runs r WHERE r.id = ?
