-- Jobs whose lease ran out, the longest expired first. Locks nothing. Parameters: whether jobs of workflow steps are meant or jobs of
-- their own, limit.
SELECT q.id FROM {schema}.job_queue q
WHERE q.status = 'LEASED' AND q.is_step = ?::bool AND q.lease_expires_at <= (SELECT clock_timestamp())
ORDER BY q.lease_expires_at
LIMIT ?
