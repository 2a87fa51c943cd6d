-- When the last canceled handler of a run must have noticed; null when none can be running. Parameter: run.
SELECT max(q.lease_expires_at) AS busy_until
FROM {schema}.workflow_steps s JOIN {schema}.job_queue q ON q.id = s.job_id
WHERE s.workflow_run_id = ? AND q.status = 'CANCELED' AND q.lease_expires_at > clock_timestamp()
