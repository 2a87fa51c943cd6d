-- The next lines that an action wrote to the journal of jobs, one per changed job, in the order of the index on the lines of operators.
SELECT j.id FROM {schema}.job_journal j
WHERE j.event_type IN ('CANCELED', 'REQUEUED', 'EDITED') AND j.payload ->> 'action' IS NOT NULL
    AND j.payload ->> 'action' = :action_id::uuid::text AND j.id > :after_id
ORDER BY j.id
LIMIT :limit
