-- Whether a live worker serves the type and the queue of a job, and since when every worker that could take the job is ordered to drain.
-- The list of workers decides what is served. A worker that could not write to the list is visible only through a live lease of a job of the
-- same type and queue.
WITH job AS MATERIALIZED (
    SELECT q.job_type, q.queue FROM {schema}.job_queue q WHERE q.id = :job_id
), standing AS (
    SELECT o.label, o.ordered_at FROM {schema}.worker_orders o
    WHERE o.kind = 'DRAIN' AND o.lifted_at IS NULL AND (o.ends_at IS NULL OR o.ends_at > now())
), of_type AS MATERIALIZED (
    SELECT
        w.worker_id, w.beat_at, now() > w.beat_at + 3 * w.beat_ms * interval '1 millisecond' AS is_lost,
        w.state = 'STOPPING' OR w.stop_order_id IS NOT NULL AS is_stopping,
        w.queues IS NULL OR coalesce(job.queue, 'default') = ANY (w.queues) AS is_of_queue,
        (SELECT min(s.ordered_at) FROM standing s WHERE s.label IS NULL OR s.label = ANY (w.labels)) AS drained_since
    FROM {schema}.workers w JOIN job ON job.job_type = ANY (w.job_types)
), listed AS (
    SELECT * FROM of_type WHERE is_of_queue
), serving AS (
    SELECT drained_since FROM listed WHERE NOT is_lost AND NOT is_stopping
)
SELECT
    EXISTS (SELECT FROM serving) OR EXISTS (
        SELECT FROM {schema}.job_queue q JOIN job ON q.job_type = job.job_type AND q.queue IS NOT DISTINCT FROM job.queue
        WHERE q.status = 'LEASED' AND q.lease_expires_at > now()
            AND NOT EXISTS (SELECT FROM {schema}.workers w WHERE w.worker_id = q.worker_id)
    ) AS has_taker,
    EXISTS (SELECT FROM of_type WHERE NOT is_lost AND NOT is_stopping AND NOT is_of_queue) AS is_served_elsewhere,
    EXISTS (SELECT FROM listed WHERE NOT is_lost AND is_stopping) AS is_stopping,
    lost.worker_id AS lost_worker_id, lost.beat_at AS lost_seen_at,
    coalesce(
        (SELECT min(s.ordered_at) FROM standing s WHERE s.label IS NULL),
        (SELECT max(s.drained_since) FROM serving s HAVING count(*) = count(s.drained_since))
    ) AS drained_since
FROM (SELECT) one
LEFT JOIN (SELECT worker_id, beat_at FROM listed WHERE is_lost ORDER BY beat_at DESC LIMIT 1) lost ON true
