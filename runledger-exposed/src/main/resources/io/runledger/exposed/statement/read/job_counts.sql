-- One arm for each status that has an index of its own, so that the statement reads no ended jobs, however many there are.
SELECT 'PENDING' AS status, count(*) AS jobs FROM {schema}.job_queue q WHERE q.status = 'PENDING' AND {scope q}
UNION ALL
SELECT 'LEASED', count(*) FROM {schema}.job_queue q WHERE q.status = 'LEASED' AND {scope q}
UNION ALL
SELECT 'DEAD_LETTERED', count(*) FROM {schema}.job_queue q WHERE q.status = 'DEAD_LETTERED' AND {scope q}
