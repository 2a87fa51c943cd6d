-- The weight of a share that was weighed.
SELECT s.weight FROM {schema}.share_weights s WHERE s.job_type = :job_type AND s.share_key = :share_key FOR NO KEY UPDATE
