-- Locks the trigger of a poll that is still whose it was; the clock is read after the wait.
SELECT s.*, clock_timestamp() AS database_now
FROM {schema}.job_schedules s
WHERE s.id = ? AND s.poll_id = ?
FOR NO KEY UPDATE
