-- Locks definitions before they are disabled, so that every enqueue and every new schedule of these types has either committed or waits and
-- then sees them disabled. The rows committed during the wait are visible to the next statement.
SELECT job_type, is_enabled, declared_is_enabled
FROM {schema}.job_definitions
WHERE job_type = ANY (:job_types::text[]) AND (is_enabled OR declared_is_enabled)
ORDER BY job_type
FOR UPDATE
