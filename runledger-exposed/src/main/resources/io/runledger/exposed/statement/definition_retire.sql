-- Refuses new jobs of these types because code says so; definition_lock holds their rows. Where an operator's word stands, it stays.
UPDATE {schema}.job_definitions
SET is_enabled = is_enabled AND declared_is_enabled IS NOT NULL,
    declared_is_enabled = CASE WHEN declared_is_enabled IS NOT NULL THEN false END
WHERE job_type = ANY (?::text[]) AND coalesce(declared_is_enabled, true)
