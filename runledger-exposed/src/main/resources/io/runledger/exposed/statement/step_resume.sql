-- Puts the new jobs of steps that were set back where the jobs before them had come to: payload, checkpoint and counts. A step that ended
-- without a new job is left out. The run is locked, and nobody sees the new jobs yet. Parameters: steps, the jobs that they had.
UPDATE {schema}.job_queue q
SET payload = b.payload, checkpoint = b.checkpoint, progress_done = b.progress_done, progress_total = b.progress_total
FROM (
    SELECT s.job_id, j.payload, j.checkpoint, j.progress_done, j.progress_total
    FROM unnest(?::uuid[], ?::uuid[]) AS i (step_id, job_before)
    CROSS JOIN LATERAL (SELECT job_id FROM {schema}.workflow_steps WHERE id = i.step_id OFFSET 0) s
    CROSS JOIN LATERAL (
        SELECT payload, checkpoint, progress_done, progress_total FROM {schema}.job_queue WHERE id = i.job_before OFFSET 0
    ) j
) b
WHERE q.id = b.job_id
