-- Replaces the config with the given revision. Returns no row if it has another revision, or if there is none.
UPDATE {schema}.job_runtime_configs
SET schema_version = :schema_version, config = :config::jsonb, updated_by_user_id = :updated_by_user_id::uuid, revision = revision + 1
WHERE job_type = :job_type AND revision = :revision
RETURNING job_type, schema_version, revision, config, updated_by_user_id, created_at, updated_at
