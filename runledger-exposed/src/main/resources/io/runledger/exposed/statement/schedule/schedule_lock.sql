-- Locks schedules by name, in name order. The clock is read after the wait for the locks.
SELECT s.*, clock_timestamp() AS database_now
FROM {schema}.job_schedules s
WHERE s.name = ANY (:names) AND {scope s}
ORDER BY s.name
FOR NO KEY UPDATE
