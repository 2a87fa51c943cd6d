-- The types that are not declared.
SELECT job_type FROM {schema}.job_definitions WHERE job_type <> ALL (?::text[])
