-- Sets a locked schedule's state and cursor; what was deferred is not tried again.
UPDATE {schema}.job_schedules SET is_active = ?, next_fire_at = ?, anchor_at = ?, deferred_from = NULL WHERE id = ? RETURNING *
