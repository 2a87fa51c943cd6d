-- Replaces the document whose revision was read. No row: it has another revision, or there is none.
UPDATE {schema}.job_runtime_configs
SET schema_version = ?, config = ?::jsonb, updated_by_user_id = ?::uuid, revision = revision + 1
WHERE job_type = ? AND revision = ?
RETURNING job_type, schema_version, revision, config, updated_by_user_id, created_at, updated_at
