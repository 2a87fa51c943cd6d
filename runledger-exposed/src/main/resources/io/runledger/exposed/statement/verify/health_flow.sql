-- Limits that let no job begin although due jobs wait for them, and named queues with due jobs that no live worker serves: of each the due time
-- of a job that has waited long, those that have waited longest first, at most :limit of each.
-- Goes from flow group to flow group in the index of the claims, :most of each type at most, and reads the first job of each.
WITH type AS MATERIALIZED (
    SELECT d.job_type FROM {schema}.job_definitions d WHERE NOT d.is_paused
), flow AS MATERIALIZED (
    SELECT t.job_type, g.queue, g.limit_keys, g.next_run_at
    FROM type t
    CROSS JOIN LATERAL (
        WITH RECURSIVE step AS (
            SELECT 1 AS nth, f.*
            FROM (
                SELECT q.priority, q.flow_group, q.queue, q.limit_keys, q.next_run_at FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL AND q.job_type = t.job_type
                ORDER BY q.priority DESC, q.flow_group, q.next_run_at, q.id
                LIMIT 1
            ) f
            UNION ALL
            SELECT s.nth + 1, f.priority, f.flow_group, f.queue, f.limit_keys, f.next_run_at
            FROM step s
            CROSS JOIN LATERAL (
                SELECT n.*
                FROM (
                    (
                        SELECT 1 AS place, q.priority, q.flow_group, q.queue, q.limit_keys, q.next_run_at FROM {schema}.job_queue q
                        WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL
                            AND q.job_type = t.job_type AND q.priority = s.priority AND q.flow_group > s.flow_group
                        ORDER BY q.flow_group, q.next_run_at, q.id
                        LIMIT 1
                    )
                    UNION ALL
                    (
                        SELECT 2, q.priority, q.flow_group, q.queue, q.limit_keys, q.next_run_at FROM {schema}.job_queue q
                        WHERE q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL
                            AND q.job_type = t.job_type AND q.priority < s.priority
                        ORDER BY q.priority DESC, q.flow_group, q.next_run_at, q.id
                        LIMIT 1
                    )
                ) n
                ORDER BY n.place
                LIMIT 1
            ) f
            WHERE s.nth < :most
        )
        SELECT * FROM step
    ) g
    WHERE isfinite(g.next_run_at)
), used AS MATERIALIZED (
    SELECT {schema}.used_permits() AS permits
), stopped AS (
    SELECT l.name, l.permits = 0 IS TRUE AS is_paused, min(f.next_run_at) AS due_at
    FROM flow f
    CROSS JOIN used u
    CROSS JOIN LATERAL unnest(f.limit_keys) AS k (limit_key)
    JOIN {schema}.limits l ON l.name = {schema}.limit_of(k.limit_key)
    LEFT JOIN {schema}.limit_keys s ON s.limit_key = k.limit_key
    WHERE {schema}.limit_room(
            l.permits, l.rate_count, l.rate_period_us, l.rate_burst, (u.permits ->> k.limit_key)::bigint, s.spent_until, now()
        ) <= 0
    GROUP BY l.name, l.permits
    ORDER BY min(f.next_run_at)
    LIMIT :limit
), unserved AS (
    SELECT f.queue AS name, false AS is_paused, min(f.next_run_at) AS due_at
    FROM flow f
    WHERE f.queue IS NOT NULL AND NOT EXISTS (
        SELECT FROM {schema}.workers w
        WHERE (w.queues IS NULL OR f.queue = ANY (w.queues)) AND f.job_type = ANY (w.job_types) AND w.state <> 'STOPPING'
            AND w.stop_order_id IS NULL AND now() <= w.beat_at + 3 * w.beat_ms * interval '1 millisecond'
    )
    GROUP BY f.queue
    ORDER BY min(f.next_run_at)
    LIMIT :limit
)
SELECT w.*, (extract(epoch FROM now() - w.due_at) * 1000000)::bigint AS wait_us
FROM (SELECT true AS is_limit, s.* FROM stopped s UNION ALL SELECT false, u.* FROM unserved u) w
WHERE w.due_at <= now()
ORDER BY w.is_limit DESC, w.due_at, w.name
