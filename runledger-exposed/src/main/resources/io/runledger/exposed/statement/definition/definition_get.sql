SELECT
    job_type, version, max_attempts, default_timeout_seconds, default_priority, is_enabled, is_paused, retry_policy, flow,
    declared_max_attempts, declared_timeout_seconds, declared_priority, declared_is_enabled, declared_retry_policy, redeclared_at,
    created_at, updated_at
FROM {schema}.job_definitions
WHERE job_type = :job_type
