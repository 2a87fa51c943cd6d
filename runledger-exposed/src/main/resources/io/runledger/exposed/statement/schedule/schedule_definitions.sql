-- Locks the definitions of some types as an enqueue does. A disable in progress is waited for and then seen; a later disable waits.
SELECT job_type, is_enabled, clock_timestamp() AS database_now
FROM {schema}.job_definitions
WHERE job_type = ANY (:job_types)
ORDER BY job_type
FOR KEY SHARE
