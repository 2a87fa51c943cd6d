-- Locks the definitions against other writers, in the order in which every writer locks them. Enqueues are not blocked.
SELECT job_type FROM {schema}.job_definitions WHERE job_type = ANY (:job_types::text[]) ORDER BY job_type FOR NO KEY UPDATE
