-- A page of the shares of a job type that were weighed, in order of key.
SELECT s.* FROM {schema}.share_weights s
WHERE s.job_type = :job_type AND (:after::text IS NULL OR s.share_key > :after)
ORDER BY s.share_key
LIMIT :limit
