-- The waiting or the running jobs of a queue, newest first. The index on the queue continues with status and id, and has no ended jobs. {filters}
-- compares the status as a range, as in job_list_failed.
SELECT
    {fragment/summary_columns}
FROM {schema}.job_queue q
WHERE q.queue = :queue AND q.finished_at IS NULL AND {scope q} {filters}
ORDER BY q.status DESC, q.id DESC
LIMIT :limit
