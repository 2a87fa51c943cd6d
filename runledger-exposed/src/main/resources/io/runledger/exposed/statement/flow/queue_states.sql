-- The state of queues. Waiting jobs are counted up to :most, the oldest first.
SELECT
    n.queue, w.waiting, w.oldest_due, r.running, coalesce(l.is_changed, false) AS is_paused, l.declared_permits, l.declared_rate_count,
    l.declared_rate_period_us, l.declared_rate_burst
FROM unnest(:queues::text[]) AS n (queue)
CROSS JOIN LATERAL (
    SELECT count(*) AS waiting, min(p.next_run_at) FILTER (WHERE p.next_run_at <= clock_timestamp()) AS oldest_due
    FROM (
        SELECT q.next_run_at FROM {schema}.job_queue q
        WHERE q.queue = n.queue AND q.status = 'PENDING' AND q.finished_at IS NULL
        ORDER BY q.id
        LIMIT :most
    ) p
) w
CROSS JOIN LATERAL (
    SELECT count(*) AS running FROM {schema}.job_queue q WHERE q.queue = n.queue AND q.status = 'LEASED' AND q.finished_at IS NULL
) r
LEFT JOIN {schema}.limits l ON l.name = 'queue:' || n.queue
ORDER BY n.queue
