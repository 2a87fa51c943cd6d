SELECT
    job_type, version, max_attempts, default_timeout_seconds, default_priority, is_enabled, is_paused, retry_policy, created_at,
    updated_at
FROM {schema}.job_definitions
WHERE job_type = ?
