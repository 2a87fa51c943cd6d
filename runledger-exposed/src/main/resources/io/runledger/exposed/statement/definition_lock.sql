-- Locks definitions before they are disabled, so that every enqueue and every new schedule of these types has either committed or
-- waits, and then sees them disabled. What the wait brought is for the next statement to see.
SELECT job_type, is_enabled, declared_is_enabled
FROM {schema}.job_definitions
WHERE job_type = ANY (?::text[]) AND (is_enabled OR declared_is_enabled)
ORDER BY job_type
FOR UPDATE
