-- Copies payload, checkpoint and progress from the previous jobs of reset steps to their new jobs. Steps without a new job are left out.
-- The caller holds the lock on the run, and the new jobs are not yet visible to other sessions.
UPDATE {schema}.job_queue q
SET payload = b.payload, checkpoint = b.checkpoint, progress_done = b.progress_done, progress_total = b.progress_total
FROM (
    SELECT s.job_id, j.payload, j.checkpoint, j.progress_done, j.progress_total
    FROM unnest(:step_ids::uuid[], :previous_job_ids::uuid[]) AS i (step_id, job_before)
    CROSS JOIN LATERAL (SELECT job_id FROM {schema}.workflow_step_rows WHERE id = i.step_id OFFSET 0) s
    CROSS JOIN LATERAL (
        SELECT payload, checkpoint, progress_done, progress_total FROM {schema}.job_queue WHERE id = i.job_before OFFSET 0
    ) j
) b
WHERE q.id = b.job_id
