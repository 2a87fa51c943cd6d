-- Forgets deliveries that were made. Parameters: hooks, job ids, runs.
DELETE FROM {schema}.job_dead_letter_deliveries w
USING unnest(?::text[], ?::uuid[], ?::int[]) AS i (hook, job_id, run_number)
WHERE w.job_id = i.job_id AND w.run_number = i.run_number AND w.hook = i.hook
