-- Jobs that ended as dead letters and wait for an operator, the latest first. :after_time and :after_id are the position of the cursor;
-- null starts at the first row. The queue decides which dead letters are open, so those of requeued jobs are not read.
SELECT d.*, q.finished_at, q.headers
FROM {schema}.job_queue q
JOIN {schema}.job_dead_letters d ON d.job_id = q.id AND d.run_number = q.run_number
WHERE q.status = 'DEAD_LETTERED' AND {scope q}
    AND (q.finished_at, q.id) < (
        coalesce(:after_time::timestamptz, 'infinity'), coalesce(:after_id::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    )
ORDER BY q.finished_at DESC, q.id DESC
LIMIT :limit
