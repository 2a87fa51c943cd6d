-- Writes the first config of a type. Returns no row if it has one already, or if the type is not defined.
INSERT INTO {schema}.job_runtime_configs (job_type, schema_version, config, updated_by_user_id)
SELECT d.job_type, :schema_version::int, :config::jsonb, :updated_by_user_id::uuid
FROM {schema}.job_definitions d WHERE d.job_type = :job_type
ON CONFLICT (job_type) DO NOTHING
RETURNING job_type, schema_version, revision, config, updated_by_user_id, created_at, updated_at
