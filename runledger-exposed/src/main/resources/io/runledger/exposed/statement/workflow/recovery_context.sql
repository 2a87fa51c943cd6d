-- Reads the context that a run was started with.
SELECT coalesce(r.enqueue_request->'context', '{}') AS context FROM {schema}.workflow_runs r WHERE r.id = :run_id
