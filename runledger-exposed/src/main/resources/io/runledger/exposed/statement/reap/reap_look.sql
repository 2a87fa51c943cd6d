-- Whether the lease of a job outside workflows has expired, and whether that of a workflow step's job has. Takes no locks.
SELECT
    EXISTS (
        SELECT FROM {schema}.job_queue q
        WHERE q.status = 'LEASED' AND q.lease_expires_at <= (SELECT clock_timestamp()) AND NOT q.is_step
    ) AS jobs,
    EXISTS (
        SELECT FROM {schema}.job_queue q
        WHERE q.status = 'LEASED' AND q.lease_expires_at <= (SELECT clock_timestamp()) AND q.is_step
    ) AS steps
