-- Where jobs stand, read without locking. Parameters: job ids, scope.
SELECT
    q.id, q.status, q.run_number, CASE WHEN q.status = 'CANCELED' AND q.lease_expires_at > t.at THEN q.lease_expires_at END AS quiet_at,
    t.at, q.is_step AS has_step
FROM {schema}.job_queue q
CROSS JOIN (SELECT clock_timestamp() AS at) t
WHERE q.id = ANY (?::uuid[]) AND {scope q}
