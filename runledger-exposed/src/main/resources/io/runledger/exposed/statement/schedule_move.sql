-- Sets a locked schedule's state and cursor.
UPDATE {schema}.job_schedules SET is_active = ?, next_fire_at = ?, anchor_at = ? WHERE id = ? RETURNING *
