-- Who comes before a due job of a type, whether anybody works on the type at all, and since when everybody who could is told to drain.
-- Parameters: job, limit of jobs ahead (twice), minutes, limit of attempts looked at, scope, limit of jobs ahead.
--
-- So many jobs ahead are looked at, whosesoever they are, and those in the caller's scope are counted: how much others have in the
-- queue is theirs to know.
--
-- As in claim, level walks the distinct priorities by jumping from one to the next, so that future jobs of higher priority cost
-- nothing; it ends at the job's own, which exists because the job waits there.
-- Attempts do not know their type, so only so many are looked at; when there are more, examined says so and nothing is concluded.
WITH RECURSIVE job AS (
    SELECT id, job_type, priority, next_run_at FROM {schema}.job_queue WHERE id = ?
), level AS (
    SELECT job.*, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.job_type = job.job_type
        ORDER BY q.priority DESC LIMIT 1
    ) AS level
    FROM job
    UNION ALL
    SELECT l.id, l.job_type, l.priority, l.next_run_at, (
        SELECT q.priority FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.job_type = l.job_type AND q.priority < l.level
        ORDER BY q.priority DESC LIMIT 1
    )
    FROM level l
    WHERE l.level > l.priority
), ahead AS (
    SELECT higher.organization_id FROM level l
    CROSS JOIN LATERAL (
        SELECT q.organization_id FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.job_type = l.job_type AND q.priority = l.level AND q.next_run_at <= now()
        LIMIT ?
    ) higher
    WHERE l.level > l.priority
    UNION ALL
    SELECT earlier.organization_id FROM job
    CROSS JOIN LATERAL (
        SELECT q.organization_id FROM {schema}.job_queue q
        WHERE q.status = 'PENDING' AND NOT q.is_paused AND q.job_type = job.job_type AND q.priority = job.priority
            AND (q.next_run_at, q.id) < (job.next_run_at, job.id)
        LIMIT ?
    ) earlier
), recent AS (
    SELECT count(*) AS examined, count(*) FILTER (WHERE q.job_type = job.job_type) AS of_type
    FROM job, (
        SELECT a.job_id FROM {schema}.job_attempts a WHERE a.finished_at > now() - ? * interval '1 minute' LIMIT ?
    ) a
    JOIN {schema}.job_queue q ON q.id = a.job_id
), standing AS (
    SELECT o.label, o.ordered_at FROM {schema}.worker_orders o
    WHERE o.kind = 'DRAIN' AND o.lifted_at IS NULL AND (o.ends_at IS NULL OR o.ends_at > now())
), serving AS (
    SELECT (SELECT min(s.ordered_at) FROM standing s WHERE s.label IS NULL OR s.label = ANY (w.labels)) AS drained_since
    FROM {schema}.workers w JOIN job ON job.job_type = ANY (w.job_types)
    WHERE w.state <> 'STOPPING' AND now() <= w.beat_at + 3 * w.beat_ms * interval '1 millisecond'
), counted AS (
    SELECT count(*) AS seen, count(*) FILTER (WHERE {scope a}) AS of_scope FROM (SELECT organization_id FROM ahead LIMIT ?) a
)
SELECT
    counted.seen AS jobs_seen, counted.of_scope AS jobs_ahead,
    recent.examined, recent.of_type > 0 OR EXISTS (
        SELECT FROM {schema}.job_queue q
        WHERE q.status = 'LEASED' AND q.lease_expires_at > now() AND q.job_type = (SELECT job_type FROM job)
    ) AS has_worker,
    coalesce(
        (SELECT min(s.ordered_at) FROM standing s WHERE s.label IS NULL),
        (SELECT max(s.drained_since) FROM serving s HAVING count(*) = count(s.drained_since))
    ) AS drained_since
FROM recent, counted
