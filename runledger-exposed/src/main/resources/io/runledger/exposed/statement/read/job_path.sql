-- The last transitions of a machine from step to step, the oldest first.
SELECT * FROM (
    SELECT
        j.id, j.run_number, j.payload ->> 'from_step' AS from_step, j.payload ->> 'to_step' AS to_step, j.occurred_at,
        (j.payload ->> 'next_run_at')::timestamptz AS due_at
    FROM {schema}.job_journal j
    WHERE j.job_id = :job_id AND EXISTS (SELECT FROM {schema}.job_queue q WHERE q.id = :job_id AND {scope q})
        AND j.event_type = 'REQUEUED' AND j.payload ->> 'from_step' IS NOT NULL AND j.payload ->> 'to_step' IS NOT NULL
    ORDER BY j.id DESC
    LIMIT :limit
) last
ORDER BY id
