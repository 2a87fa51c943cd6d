-- Lets keys that this transaction has taken refer to a job that it inserts. A window that is still open stays open: at most one job is
-- enqueued within it, also if a rule that does not regard it inserts another one.
UPDATE {schema}.job_keys k
SET job_id = i.new_job_id, ends_at = greatest(k.ends_at, now() + i.window_us * interval '1 microsecond')
FROM unnest(:job_ids::uuid[], :new_job_ids::uuid[], :windows_us::bigint[]) AS i (job_id, new_job_id, window_us)
WHERE k.job_id = i.job_id
