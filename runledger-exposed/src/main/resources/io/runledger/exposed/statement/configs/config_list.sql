SELECT job_type, schema_version, revision, config, updated_by_user_id, created_at, updated_at
FROM {schema}.job_runtime_configs
ORDER BY job_type
