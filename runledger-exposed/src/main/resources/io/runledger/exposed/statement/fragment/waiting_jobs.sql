-- The waiting jobs, with and without flow, as a relation named q. Each kind has indexes of its own, whose order a query keeps by merging.
(
    SELECT * FROM {schema}.job_queue WHERE status = 'PENDING' AND flow_group IS NULL
    UNION ALL
    SELECT * FROM {schema}.job_queue WHERE status = 'PENDING' AND flow_group IS NOT NULL
) q
