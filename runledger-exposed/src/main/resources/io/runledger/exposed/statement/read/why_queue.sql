-- The jobs that come before a due job without flow.
--
-- At most :limit jobs ahead are read, of all organizations, and those in the caller's scope are counted: a caller must not learn how many
-- jobs other organizations have.
--
-- As in claim, jobs that were due from the start are found in order. For delayed jobs, level walks the distinct priorities by jumping from
-- one to the next, so that future jobs of a priority cost nothing. It ends at the job's own priority, or where there are no more jobs.
WITH RECURSIVE job AS (
    SELECT id, job_type, priority, next_run_at FROM {schema}.job_queue WHERE id = :job_id
), level AS (
    SELECT job.*, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = job.job_type
        ORDER BY q.priority DESC LIMIT 1
    ) AS level
    FROM job
    UNION ALL
    SELECT l.id, l.job_type, l.priority, l.next_run_at, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = l.job_type
            AND q.priority < l.level
        ORDER BY q.priority DESC LIMIT 1
    )
    FROM level l
    WHERE l.level > l.priority
), ahead AS (
    SELECT higher.organization_id FROM level l
    CROSS JOIN LATERAL (
        SELECT q.organization_id FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed AND q.job_type = l.job_type
            AND q.priority = l.level
            AND q.next_run_at <= now()
        LIMIT :limit
    ) higher
    WHERE l.level > l.priority
    UNION ALL
    SELECT higher.organization_id FROM job
    CROSS JOIN LATERAL (
        SELECT q.organization_id FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND NOT q.is_delayed AND q.job_type = job.job_type
            AND q.priority > job.priority
            AND q.next_run_at <= now()
        LIMIT :limit
    ) higher
    UNION ALL
    SELECT earlier.organization_id FROM job, (VALUES (false), (true)) AS kind (is_delayed)
    CROSS JOIN LATERAL (
        SELECT q.organization_id FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND NOT q.is_paused AND q.is_delayed = kind.is_delayed
            AND q.job_type = job.job_type
            AND q.priority = job.priority AND (q.next_run_at, q.id) < (job.next_run_at, job.id)
        LIMIT :limit
    ) earlier
), counted AS (
    SELECT count(*) AS seen, count(*) FILTER (WHERE {scope a}) AS of_scope FROM (SELECT organization_id FROM ahead LIMIT :limit) a
)
SELECT counted.seen AS jobs_seen, counted.of_scope AS jobs_ahead FROM counted
