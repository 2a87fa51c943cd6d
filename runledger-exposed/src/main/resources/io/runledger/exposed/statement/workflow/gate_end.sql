-- A gate has no job, so that its row says everything about it.
UPDATE {schema}.workflow_step_rows
SET status = :status::text::{schema}.workflow_step_status, status_reason = :reason, last_error_code = :error_code,
    last_error_message = :error_message, output = :output::text::jsonb, finished_at = clock_timestamp(), updated_at = now()
WHERE id = :step_id
RETURNING *, NULL::timestamptz AS started_at
