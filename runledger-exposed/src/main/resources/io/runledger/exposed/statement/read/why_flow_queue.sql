-- The due jobs that come before a due job with flow: those of its type with a higher priority, with and without flow, and those of its flow
-- group that were due earlier. Between the groups of a share and between shares, claims take turns. A job that has become due since the last
-- claim is not counted.
-- At most :limit of each kind are read, of all organizations, and those in the caller's scope are counted.
WITH job AS MATERIALIZED (
    SELECT q.id, q.job_type, q.priority, q.next_run_at, q.flow_group FROM {schema}.job_queue q WHERE q.id = :job_id
), ahead AS (
    SELECT higher.organization_id FROM job
    CROSS JOIN LATERAL (
        SELECT q.organization_id FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = job.job_type
            AND q.priority > job.priority
        ORDER BY q.priority DESC
        LIMIT :limit
    ) higher
    UNION ALL
    SELECT higher.organization_id FROM job
    CROSS JOIN LATERAL (
        SELECT q.organization_id FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = job.job_type
            AND q.priority > job.priority
        ORDER BY q.priority DESC
        LIMIT :limit
    ) higher
    UNION ALL
    SELECT earlier.organization_id FROM job
    CROSS JOIN LATERAL (
        SELECT q.organization_id FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group = job.flow_group AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = job.job_type
            AND q.priority = job.priority AND (q.next_run_at, q.id) < (job.next_run_at, job.id)
        ORDER BY q.next_run_at, q.id
        LIMIT :limit
    ) earlier
), counted AS (
    SELECT count(*) AS seen, count(*) FILTER (WHERE {scope a}) AS of_scope FROM (SELECT organization_id FROM ahead LIMIT :limit) a
)
SELECT counted.seen AS jobs_seen, counted.of_scope AS jobs_ahead FROM counted
