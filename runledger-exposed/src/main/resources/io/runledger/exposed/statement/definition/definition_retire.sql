-- Disables types because the declaration says so. definition_lock holds their rows. If an operator's decision is in force, it is kept.
UPDATE {schema}.job_definitions
SET is_enabled = is_enabled AND declared_is_enabled IS NOT NULL,
    declared_is_enabled = CASE WHEN declared_is_enabled IS NOT NULL THEN false END
WHERE job_type = ANY (:job_types::text[]) AND coalesce(declared_is_enabled, true)
