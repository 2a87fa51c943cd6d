-- The replay an equal request made before. A statement of its own: it must see what committed while the source's lock was waited for.
-- Parameters: source job id, source run, request key.
SELECT replay_job_id, source_job_id, source_run_number, replay_request_key, reason, created_at
FROM {schema}.job_replays
WHERE source_job_id = ? AND source_run_number = ? AND replay_request_key = ?
