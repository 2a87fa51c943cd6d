-- The job that the order of a job waits for, if there is one: the running job of the order, or else the first one before it that has not ended or
-- is a dead letter that holds the order. Of a job outside the caller's scope only the state is shown. Of the jobs before it, at most :limit
-- are read, and those in the scope are counted.
-- Running jobs are found by the index of all leases: that of the order would read every waiting job of the order.
WITH job AS MATERIALIZED (
    SELECT q.order_key, q.order_position FROM {schema}.job_queue q WHERE q.id = :job_id AND q.order_key IS NOT NULL
), leased AS MATERIALIZED (
    SELECT q.id, q.order_key FROM {schema}.job_queue q WHERE q.status = 'LEASED' AND q.flow_group IS NOT NULL
), first AS (
    SELECT coalesce(
        (SELECT l.id FROM leased l JOIN job ON l.order_key = job.order_key LIMIT 1),
        (
            SELECT o.id FROM job JOIN {schema}.job_queue o ON o.order_key = job.order_key AND o.order_position < job.order_position
            WHERE o.status IN ('PENDING', 'LEASED') OR o.status = 'DEAD_LETTERED' AND o.holds_order
            ORDER BY o.order_position
            LIMIT 1
        )
    ) AS id
)
SELECT
    job.order_key, counted.seen, counted.of_scope, q.status, q.next_run_at, q.is_paused, q.last_error_code IS NOT NULL AS is_retry,
    CASE WHEN {scope q} THEN q.id END AS id, CASE WHEN {scope q} THEN q.worker_id END AS worker_id, q.lease_expires_at,
    q.next_run_at <= now() AS is_due
FROM job
CROSS JOIN first
JOIN {schema}.job_queue q ON q.id = first.id
CROSS JOIN LATERAL (
    SELECT count(*) AS seen, count(*) FILTER (WHERE {scope a}) AS of_scope
    FROM (
        SELECT o.organization_id FROM {schema}.job_queue o
        WHERE o.order_key = job.order_key AND o.order_position < job.order_position
            AND (o.status IN ('PENDING', 'LEASED') OR o.status = 'DEAD_LETTERED' AND o.holds_order)
        ORDER BY o.order_position
        LIMIT :limit
    ) a
) counted
