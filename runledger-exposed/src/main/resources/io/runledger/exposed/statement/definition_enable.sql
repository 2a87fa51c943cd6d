-- Accepts new jobs of a type on an operator's word. Where code says the same, that lifts a disabling and nothing else stands.
UPDATE {schema}.job_definitions
SET is_enabled = true, declared_is_enabled = CASE WHEN coalesce(declared_is_enabled, is_enabled) THEN NULL ELSE false END
WHERE job_type = ? AND NOT is_enabled
