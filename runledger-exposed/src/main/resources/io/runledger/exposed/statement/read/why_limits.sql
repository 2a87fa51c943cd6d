-- The limits of a job that let none of its kind begin now, in order: one row for each job in the caller's scope that holds a permit, up to
-- :holders of a limit, and one row for a limit without such a job. begin_at is when the rate lets the next job begin. The change is the one
-- that took the last permit away.
-- The leased jobs are as many as the fleet runs.
WITH wanted AS MATERIALIZED (
    SELECT k.limit_key, k.nth, l.name, l.permits, l.rate_count, l.rate_period_us, l.rate_burst
    FROM {schema}.job_queue q
    CROSS JOIN LATERAL unnest(q.limit_keys) WITH ORDINALITY AS k (limit_key, nth)
    JOIN {schema}.limits l ON l.name = {schema}.limit_of(k.limit_key)
    WHERE q.id = :job_id
), leased AS MATERIALIZED (
    SELECT k.limit_key, q.id, q.worker_id, q.leased_at, q.lease_expires_at, {scope q} AS is_in_scope
    FROM {schema}.job_queue q CROSS JOIN LATERAL unnest(q.limit_keys) AS k (limit_key)
    WHERE q.status = 'LEASED' AND q.flow_group IS NOT NULL AND k.limit_key IN (SELECT limit_key FROM wanted)
), stopped AS (
    SELECT w.*, (SELECT count(*) FROM leased l WHERE l.limit_key = w.limit_key) AS in_use, next.begin_at
    FROM wanted w
    LEFT JOIN LATERAL (
        SELECT s.spent_until - w.rate_burst * {schema}.rate_step_us(w.rate_period_us, w.rate_count) * interval '1 microsecond' AS begin_at
        FROM {schema}.limit_keys s
        WHERE s.limit_key = w.limit_key AND w.rate_count IS NOT NULL AND isfinite(s.spent_until)
    ) next ON next.begin_at > clock_timestamp()
)
SELECT
    s.limit_key, s.permits, s.in_use, s.begin_at, s.in_use >= s.permits IS TRUE AS is_reached, c.changed_at, c.changed_by,
    h.id, h.worker_id, h.lease_expires_at
FROM stopped s
LEFT JOIN LATERAL (
    SELECT z.changed_at, z.changed_by FROM {schema}.limit_changes z
    WHERE s.permits = 0 AND z.name = s.name AND z.permits = 0 AND z.changed_at > coalesce(
        (
            SELECT p.changed_at FROM {schema}.limit_changes p
            WHERE p.name = s.name AND p.permits IS DISTINCT FROM 0
            ORDER BY p.changed_at DESC
            LIMIT 1
        ),
        '-infinity'
    )
    ORDER BY z.changed_at
    LIMIT 1
) c ON true
LEFT JOIN LATERAL (
    SELECT l.* FROM leased l WHERE l.limit_key = s.limit_key AND l.is_in_scope ORDER BY l.leased_at, l.id LIMIT :holders
) h ON true
WHERE s.in_use >= s.permits OR s.begin_at IS NOT NULL
ORDER BY s.nth, h.leased_at, h.id
