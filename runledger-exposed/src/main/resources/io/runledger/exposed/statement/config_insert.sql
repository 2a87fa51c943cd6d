-- Writes the first document of a type. No row: there is one already, or no such type.
INSERT INTO {schema}.job_runtime_configs (job_type, schema_version, config, updated_by_user_id)
SELECT d.job_type, ?::int, ?::jsonb, ?::uuid FROM {schema}.job_definitions d WHERE d.job_type = ?
ON CONFLICT (job_type) DO NOTHING
RETURNING job_type, schema_version, revision, config, updated_by_user_id, created_at, updated_at
