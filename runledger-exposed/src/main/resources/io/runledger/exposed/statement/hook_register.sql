-- Keeps dead letters of the given types for a hook from now on. Saying it again writes nothing more than once a day.
-- Parameters: hook, job types.
INSERT INTO {schema}.job_dead_letter_hooks AS h (hook, job_type, registered_at, seen_at)
SELECT ?, t.job_type, clock_timestamp(), clock_timestamp() FROM unnest(?::text[]) AS t (job_type) ORDER BY t.job_type
ON CONFLICT (job_type, hook) DO UPDATE SET seen_at = excluded.seen_at WHERE h.seen_at < excluded.seen_at - interval '1 day'
