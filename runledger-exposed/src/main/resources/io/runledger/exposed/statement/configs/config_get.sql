-- The config of a type. Returns no row if the type is not defined, and a row without a revision if it has no config.
SELECT d.job_type, c.schema_version, c.revision, c.config, c.updated_by_user_id, c.created_at, c.updated_at
FROM {schema}.job_definitions d LEFT JOIN {schema}.job_runtime_configs c ON c.job_type = d.job_type
WHERE d.job_type = :job_type
