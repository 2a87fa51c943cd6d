-- The active schedules of these types.
SELECT job_type, name FROM {schema}.job_schedules WHERE is_active AND job_type = ANY (?::text[]) ORDER BY job_type, name
