INSERT INTO {schema}.workflow_run_mutations (workflow_run_id, mutation_kind, mutation_key, metadata, request)
VALUES (:run_id, :kind, :mutation_key, :metadata::text::jsonb, :request::text::jsonb)
