-- Locks the definitions of some types as an enqueue does, so that a disable in progress is waited for and then seen, and a later one waits.
SELECT job_type, is_enabled, clock_timestamp() AS database_now
FROM {schema}.job_definitions
WHERE job_type = ANY (?)
ORDER BY job_type
FOR KEY SHARE
