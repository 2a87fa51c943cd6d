-- Registers a hook for the dead letters of the given types. A repeated registration writes a row at most once a day.
INSERT INTO {schema}.job_dead_letter_hooks AS h (hook, job_type, registered_at, seen_at)
SELECT :hook, t.job_type, clock_timestamp(), clock_timestamp() FROM unnest(:job_types::text[]) AS t (job_type) ORDER BY t.job_type
ON CONFLICT (job_type, hook) DO UPDATE SET seen_at = excluded.seen_at WHERE h.seen_at < excluded.seen_at - interval '1 day'
