-- Disables a type on an operator's decision, which is in force until it is lifted. definition_lock holds the row.
UPDATE {schema}.job_definitions
SET is_enabled = false, declared_is_enabled = coalesce(declared_is_enabled, is_enabled)
WHERE job_type = :job_type AND (is_enabled OR declared_is_enabled IS NULL)
