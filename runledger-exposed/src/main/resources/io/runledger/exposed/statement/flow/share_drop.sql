-- A share without a row has the weight 1.
DELETE FROM {schema}.share_weights WHERE job_type = :job_type AND share_key = :share_key
