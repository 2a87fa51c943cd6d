-- Locks the trigger of a poll, if the poll still belongs to its worker. The clock is read after the wait for the lock.
SELECT s.*, clock_timestamp() AS database_now
FROM {schema}.job_schedules s
WHERE s.id = :schedule_id AND s.poll_id = :poll_id
FOR NO KEY UPDATE
