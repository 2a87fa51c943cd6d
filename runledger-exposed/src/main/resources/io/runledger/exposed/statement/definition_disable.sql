-- Refuses new jobs of these types; definition_lock holds their rows.
UPDATE {schema}.job_definitions SET is_enabled = false WHERE job_type = ANY (?::text[])
