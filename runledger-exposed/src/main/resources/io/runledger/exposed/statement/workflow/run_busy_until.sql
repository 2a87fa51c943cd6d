-- The time by which the last canceled handler of a run must have stopped; null if none can be running.
SELECT max(q.lease_expires_at) AS busy_until
FROM {schema}.workflow_step_rows s JOIN {schema}.job_queue q ON q.id = s.job_id
WHERE s.workflow_run_id = :run_id AND q.status = 'CANCELED' AND q.lease_expires_at > clock_timestamp()
