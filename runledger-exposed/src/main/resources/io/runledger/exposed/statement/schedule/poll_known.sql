-- The keys among the given ones under which the trigger has already fired.
SELECT f.dedup_key
FROM {schema}.job_schedule_fires f
WHERE f.schedule_id = :schedule_id AND f.dedup_key = ANY (:dedup_keys) AND f.dedup_key <> '' AND f.outcome = 'FIRED'
