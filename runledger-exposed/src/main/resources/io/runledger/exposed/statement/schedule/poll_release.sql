-- Returns a poll that was not carried out: it is due again at once.
UPDATE {schema}.job_schedules SET poll_id = NULL, poll_until = NULL WHERE id = :schedule_id AND poll_id = :poll_id
