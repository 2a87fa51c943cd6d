-- The scheduled instant that created a job and the workflow step of the job, if there are any.
SELECT
    f.*,
    s.workflow_run_id, r.workflow_type, r.status AS run_status, s.id AS step_id, s.step_key, s.status AS step_status
FROM {schema}.job_queue q
LEFT JOIN LATERAL (
    SELECT f.* FROM {schema}.job_schedule_fires f WHERE f.job_id = q.id ORDER BY f.scheduled_for LIMIT 1
) f ON true
LEFT JOIN {schema}.workflow_steps s ON s.job_id = q.id
LEFT JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
WHERE q.id = :job_id
