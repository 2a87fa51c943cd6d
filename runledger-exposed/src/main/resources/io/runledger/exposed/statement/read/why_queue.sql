-- The jobs that come before a due job of a type, whether a live worker serves the type, and since when every worker that could take the job
-- is ordered to drain.
--
-- At most :limit jobs ahead are read, of all organizations, and those in the caller's scope are counted: a caller must not learn how many
-- jobs other organizations have.
--
-- As in claim, jobs that were due from the start are found in order. For delayed jobs, level walks the distinct priorities by jumping from
-- one to the next, so that future jobs of a priority cost nothing. It ends at the job's own priority, or where there are no more jobs.
-- The list of workers decides which types are served. A worker that could not write to the list is visible only through a live lease.
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
), standing AS (
    SELECT o.label, o.ordered_at FROM {schema}.worker_orders o
    WHERE o.kind = 'DRAIN' AND o.lifted_at IS NULL AND (o.ends_at IS NULL OR o.ends_at > now())
), listed AS (
    SELECT
        w.worker_id, w.beat_at, now() > w.beat_at + 3 * w.beat_ms * interval '1 millisecond' AS is_lost,
        w.state = 'STOPPING' OR w.stop_order_id IS NOT NULL AS is_stopping,
        (SELECT min(s.ordered_at) FROM standing s WHERE s.label IS NULL OR s.label = ANY (w.labels)) AS drained_since
    FROM {schema}.workers w JOIN job ON job.job_type = ANY (w.job_types)
), serving AS (
    SELECT drained_since FROM listed WHERE NOT is_lost AND NOT is_stopping
), counted AS (
    SELECT count(*) AS seen, count(*) FILTER (WHERE {scope a}) AS of_scope FROM (SELECT organization_id FROM ahead LIMIT :limit) a
)
SELECT
    counted.seen AS jobs_seen, counted.of_scope AS jobs_ahead,
    EXISTS (SELECT FROM serving) OR EXISTS (
        SELECT FROM {schema}.job_queue q
        WHERE q.status = 'LEASED' AND q.lease_expires_at > now() AND q.job_type = (SELECT job_type FROM job)
            AND NOT EXISTS (SELECT FROM {schema}.workers w WHERE w.worker_id = q.worker_id)
    ) AS has_taker,
    EXISTS (SELECT FROM listed WHERE NOT is_lost AND is_stopping) AS is_stopping,
    lost.worker_id AS lost_worker_id, lost.beat_at AS lost_seen_at,
    coalesce(
        (SELECT min(s.ordered_at) FROM standing s WHERE s.label IS NULL),
        (SELECT max(s.drained_since) FROM serving s HAVING count(*) = count(s.drained_since))
    ) AS drained_since
FROM counted
LEFT JOIN (SELECT worker_id, beat_at FROM listed WHERE is_lost ORDER BY beat_at DESC LIMIT 1) lost ON true
