-- Schedules deliveries for a later retry, unless they have been taken again. A row that another session holds is skipped: its delivery is
-- due when its lease ends.
WITH free AS MATERIALIZED (
    SELECT w.job_id, w.run_number, w.hook, i.delay_us
    FROM {schema}.job_dead_letter_deliveries w
    JOIN unnest(:hooks::text[], :job_ids::uuid[], :run_numbers::int[], :tries::int[], :delays_us::bigint[])
        AS i (hook, job_id, run_number, tries, delay_us)
        ON w.job_id = i.job_id AND w.run_number = i.run_number AND w.hook = i.hook AND w.tries = i.tries
    FOR NO KEY UPDATE OF w SKIP LOCKED
)
UPDATE {schema}.job_dead_letter_deliveries w
SET due_at = clock_timestamp() + f.delay_us * interval '1 microsecond'
FROM free f
WHERE w.job_id = f.job_id AND w.run_number = f.run_number AND w.hook = f.hook
