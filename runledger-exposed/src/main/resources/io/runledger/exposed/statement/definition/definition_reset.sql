-- Restores the declared values. A row without an operator's values is not written.
UPDATE {schema}.job_definitions
SET max_attempts = coalesce(declared_max_attempts, max_attempts), declared_max_attempts = NULL,
    default_timeout_seconds = coalesce(declared_timeout_seconds, default_timeout_seconds), declared_timeout_seconds = NULL,
    default_priority = coalesce(declared_priority, default_priority), declared_priority = NULL,
    retry_policy = CASE WHEN declared_retry_policy IS NULL THEN retry_policy ELSE nullif(declared_retry_policy, 'null') END,
    declared_retry_policy = NULL,
    is_enabled = coalesce(declared_is_enabled, is_enabled), declared_is_enabled = NULL
WHERE job_type = :job_type AND num_nonnulls(
    declared_max_attempts, declared_timeout_seconds, declared_priority, declared_retry_policy, declared_is_enabled
) > 0
