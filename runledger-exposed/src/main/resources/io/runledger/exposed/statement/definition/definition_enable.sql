-- Enables a type on an operator's decision. If the type is also declared as enabled, this only lifts the disable and overrides nothing.
UPDATE {schema}.job_definitions
SET is_enabled = true, declared_is_enabled = CASE WHEN coalesce(declared_is_enabled, is_enabled) THEN NULL ELSE false END
WHERE job_type = :job_type AND NOT is_enabled
