-- Has deliveries tried again later, unless somebody else tries them by now. Parameters: hooks, job ids, runs, tries, delays in microseconds.
UPDATE {schema}.job_dead_letter_deliveries w
SET due_at = clock_timestamp() + i.delay_us * interval '1 microsecond'
FROM unnest(?::text[], ?::uuid[], ?::int[], ?::int[], ?::bigint[]) AS i (hook, job_id, run_number, tries, delay_us)
WHERE w.job_id = i.job_id AND w.run_number = i.run_number AND w.hook = i.hook AND w.tries = i.tries
