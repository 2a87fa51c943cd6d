-- Jobs whose lease has expired, the longest expired first: jobs of workflow steps if :is_step, else other jobs. Takes no locks.
SELECT q.id FROM {schema}.job_queue q
WHERE q.status = 'LEASED' AND q.is_step = :is_step::bool AND q.lease_expires_at <= (SELECT clock_timestamp())
ORDER BY q.lease_expires_at
LIMIT :limit
