-- Ends gates of the given runs that are past their deadline, the longest overdue first. Each gate ends as it declares.
UPDATE {schema}.workflow_step_rows s
SET status = s.expiry_outcome::{schema}.workflow_step_status, status_reason = :error_code, last_error_code = :error_code,
    last_error_message = :error_message, finished_at = clock_timestamp(), updated_at = now()
WHERE s.id = ANY (ARRAY(
    SELECT g.id FROM {schema}.workflow_step_rows g
    WHERE g.workflow_run_id = ANY (:run_ids::uuid[]) AND g.is_open_gate AND g.expires_at <= (SELECT clock_timestamp())
    ORDER BY g.expires_at
    LIMIT :limit
))
RETURNING s.id, s.workflow_run_id, s.step_key, s.status
