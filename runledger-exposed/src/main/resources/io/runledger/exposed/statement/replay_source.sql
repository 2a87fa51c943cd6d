-- Locks the succeeded job that is to be repeated, so that equal requests come one after the other. The lock is in nobody's way: a
-- succeeded job does not change. Parameters: job id, expected run, scope.
SELECT q.id
FROM {schema}.job_queue q
WHERE q.id = ? AND q.status = 'SUCCEEDED' AND q.run_number = ? AND {scope q}
    AND NOT q.is_step
FOR NO KEY UPDATE OF q
