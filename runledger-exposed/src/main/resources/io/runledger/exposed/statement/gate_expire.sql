-- Ends the gates of the given runs that are past their deadline, as each declared. Parameters: code (twice), message, runs.
UPDATE {schema}.workflow_steps s
SET status = s.expiry_outcome::{schema}.workflow_step_status, status_reason = ?, last_error_code = ?, last_error_message = ?,
    finished_at = clock_timestamp(), updated_at = now()
WHERE s.workflow_run_id = ANY (?::uuid[]) AND s.status = 'WAITING_FOR_EXTERNAL' AND s.expires_at <= (SELECT clock_timestamp())
RETURNING s.id, s.workflow_run_id, s.step_key, s.status
