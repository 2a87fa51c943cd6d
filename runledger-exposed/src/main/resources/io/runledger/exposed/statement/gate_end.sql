UPDATE {schema}.workflow_steps
SET status = ?::text::{schema}.workflow_step_status, status_reason = ?, last_error_code = ?, last_error_message = ?,
    output = ?::text::jsonb, finished_at = clock_timestamp(), updated_at = now()
WHERE id = ?
RETURNING *
