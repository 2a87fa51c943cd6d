-- The columns of job_definitions that give a new job what its request leaves open.
job_type, default_priority, max_attempts, default_timeout_seconds, flow
