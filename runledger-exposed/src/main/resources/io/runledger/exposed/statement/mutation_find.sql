-- What was done to a run under a key, and whether it was the given request. Parameters: request, run, key.
SELECT m.mutation_kind, m.metadata, m.request = ?::text::jsonb AS same
FROM {schema}.workflow_run_mutations m WHERE m.workflow_run_id = ? AND m.mutation_key = ?
