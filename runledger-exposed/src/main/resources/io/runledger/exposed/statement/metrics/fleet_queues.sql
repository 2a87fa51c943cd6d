-- The load of the first :names named queues, in order of name: those of live jobs, found by going from one name to the next in the index, and
-- those that an operator has paused or limited. Up to :limit waiting jobs of each are read, the oldest first. Durations are in seconds.
WITH RECURSIVE live (queue, nth) AS (
    (SELECT q.queue, 1 FROM {schema}.job_queue q WHERE q.queue IS NOT NULL AND q.finished_at IS NULL ORDER BY q.queue LIMIT 1)
    UNION ALL
    SELECT next.queue, l.nth + 1
    FROM live l
    CROSS JOIN LATERAL (
        SELECT q.queue FROM {schema}.job_queue q
        WHERE q.queue IS NOT NULL AND q.finished_at IS NULL AND q.queue > l.queue
        ORDER BY q.queue
        LIMIT 1
    ) next
    WHERE l.nth < :names
), named (queue) AS (
    SELECT queue FROM live
    UNION
    SELECT substr(l.name, 7) FROM {schema}.limits l WHERE l.name LIKE 'queue:%'
    ORDER BY 1
    LIMIT :names
)
SELECT
    n.queue, w.waiting, r.running, coalesce(l.is_changed, false) AS is_paused, w.waiting >= :limit AS is_capped,
    CASE WHEN isfinite(w.oldest_due) THEN date_part('epoch', now() - w.oldest_due) END AS oldest_due
FROM named n
CROSS JOIN LATERAL (
    SELECT count(*) AS waiting, min(p.next_run_at) FILTER (WHERE p.next_run_at <= now()) AS oldest_due
    FROM (
        SELECT q.next_run_at FROM {schema}.job_queue q
        WHERE q.queue = n.queue AND q.status = 'PENDING' AND q.finished_at IS NULL
        ORDER BY q.id
        LIMIT :limit
    ) p
) w
CROSS JOIN LATERAL (
    SELECT count(*) AS running FROM {schema}.job_queue q WHERE q.queue = n.queue AND q.status = 'LEASED' AND q.finished_at IS NULL
) r
LEFT JOIN {schema}.limits l ON l.name = 'queue:' || n.queue
ORDER BY n.queue
