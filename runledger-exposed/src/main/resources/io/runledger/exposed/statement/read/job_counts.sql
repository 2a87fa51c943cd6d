-- One arm for each status, and of the waiting jobs one for those with and one for those without flow: each has an index of its own, so that the
-- statement reads no ended jobs, however many there are.
SELECT
    'PENDING' AS status,
    (SELECT count(*) FROM {schema}.job_queue q WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND {scope q})
        + (SELECT count(*) FROM {schema}.job_queue q WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND {scope q}) AS jobs
UNION ALL
SELECT 'LEASED', count(*) FROM {schema}.job_queue q WHERE q.status = 'LEASED' AND {scope q}
UNION ALL
SELECT 'DEAD_LETTERED', count(*) FROM {schema}.job_queue q WHERE q.status = 'DEAD_LETTERED' AND {scope q}
