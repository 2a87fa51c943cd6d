-- The replay that an equal request created earlier. This is a statement of its own, because it must see the rows that were committed while
-- the transaction waited for the lock of the source job.
SELECT replay_job_id, source_job_id, source_run_number, replay_request_key, reason, created_at
FROM {schema}.job_replays
WHERE source_job_id = :source_id AND source_run_number = :source_run AND replay_request_key = :request_key
