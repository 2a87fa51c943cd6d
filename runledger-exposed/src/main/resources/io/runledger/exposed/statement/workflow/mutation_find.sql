-- Finds the change that was made to a run under a key, and whether its request equals the given one.
SELECT m.mutation_kind, m.metadata, m.request = :request::text::jsonb AS same
FROM {schema}.workflow_run_mutations m WHERE m.workflow_run_id = :run_id AND m.mutation_key = :mutation_key
