-- Keeps other writers away from the definitions, in the order every writer takes them. Enqueues go on.
SELECT job_type FROM {schema}.job_definitions WHERE job_type = ANY (?::text[]) ORDER BY job_type FOR NO KEY UPDATE
