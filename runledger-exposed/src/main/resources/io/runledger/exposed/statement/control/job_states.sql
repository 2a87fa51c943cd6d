-- The state of jobs, read without locks.
SELECT
    q.id, q.status, q.run_number, CASE WHEN q.status = 'CANCELED' AND q.lease_expires_at > t.at THEN q.lease_expires_at END AS quiet_at,
    t.at, q.is_step AS has_step
FROM {schema}.job_queue q
CROSS JOIN (SELECT clock_timestamp() AS at) t
WHERE q.id = ANY (:job_ids::uuid[]) AND {scope q}
