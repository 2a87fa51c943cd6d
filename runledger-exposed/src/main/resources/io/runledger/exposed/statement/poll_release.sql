-- Gives a poll back undone: it is due again at once.
UPDATE {schema}.job_schedules SET poll_id = NULL, poll_until = NULL WHERE id = ? AND poll_id = ?
