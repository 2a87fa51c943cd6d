-- How many other shares of the type and priority of a job have a due job: their claims take turns with those of its share. At most :limit
-- shares are looked at, by going from one to the next in the index: the first half of the id of a flow group is that of its share. Those whose
-- first job is in the caller's scope are counted.
WITH RECURSIVE job AS MATERIALIZED (
    SELECT q.job_type, q.priority, q.flow_group FROM {schema}.job_queue q WHERE q.id = :job_id
), share AS (
    SELECT 1 AS nth, job.job_type, job.priority, found.flow_group, found.organization_id
    FROM job
    CROSS JOIN LATERAL (
        SELECT q.flow_group, q.organization_id FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL AND q.job_type = job.job_type
            AND q.priority = job.priority
        ORDER BY q.flow_group
        LIMIT 1
    ) found
    UNION ALL
    SELECT s.nth + 1, s.job_type, s.priority, found.flow_group, found.organization_id
    FROM share s
    CROSS JOIN LATERAL (
        SELECT q.flow_group, q.organization_id FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL AND q.job_type = s.job_type
            AND q.priority = s.priority AND q.flow_group > overlay(s.flow_group::text PLACING 'ffff-ffffffffffff' FROM 20)::uuid
        ORDER BY q.flow_group
        LIMIT 1
    ) found
    WHERE s.nth < :limit
)
SELECT
    count(*) AS seen,
    count(*) FILTER (WHERE left(s.flow_group::text, 19) <> left(job.flow_group::text, 19) AND {scope s}) AS of_scope
FROM share s CROSS JOIN job
