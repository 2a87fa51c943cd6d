-- The rows that can keep a job from running, and the clock to judge them by.
SELECT
    q.*, now() AS read_at, d.is_paused AS is_type_paused, d.is_enabled, r.paused_at, r.pause_reason,
    o.occurred_at AS overtime_since, o.waits_until AS overtime_until,
    s.workflow_run_id, r.workflow_type, r.status AS run_status, s.id AS step_id, s.step_key, s.status AS step_status
FROM {schema}.job_queue q
JOIN {schema}.job_definitions d ON d.job_type = q.job_type
LEFT JOIN {schema}.workflow_steps s ON s.job_id = q.id
LEFT JOIN {schema}.workflow_runs r ON r.id = s.workflow_run_id
LEFT JOIN LATERAL (
    SELECT j.occurred_at, j.payload ->> 'waits_until' AS waits_until FROM {schema}.job_journal j
    WHERE j.job_id = q.id AND q.status = 'LEASED' AND j.run_number = q.run_number AND j.attempt = q.attempt
        AND j.event_type = 'TIMEOUT_IGNORED'
    LIMIT 1
) o ON true
WHERE q.id = :job_id AND {scope q}
