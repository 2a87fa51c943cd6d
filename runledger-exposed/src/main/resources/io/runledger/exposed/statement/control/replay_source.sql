-- Locks the succeeded job that is to be repeated, so that equal requests run one after the other. The lock delays no other operation: a
-- succeeded job does not change.
SELECT q.id
FROM {schema}.job_queue q
WHERE q.id = :job_id AND q.status = 'SUCCEEDED' AND q.run_number = :expected_run AND {scope q}
    AND NOT q.is_step
FOR NO KEY UPDATE OF q
