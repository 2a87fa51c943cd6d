-- Those of the keys that the trigger has fired under.
SELECT f.dedup_key
FROM {schema}.job_schedule_fires f
WHERE f.schedule_id = ? AND f.dedup_key = ANY (?) AND f.dedup_key <> '' AND f.outcome = 'FIRED'
