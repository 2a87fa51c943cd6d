-- A page of the keys of a limit in order of key, one row for each job that holds a permit of the key, up to :holders, and one for a key
-- without any. A key is known if a claim has used it lately, if a job with it runs, or if one waits.
-- The leased jobs are as many as the fleet runs. Of each job type, the first :most due jobs are looked at, in the order of an index: without
-- an order, the planner would read all of them to build a bitmap.
WITH named AS MATERIALIZED (
    SELECT l.* FROM {schema}.limits l WHERE l.name = :name
), leased AS MATERIALIZED (
    SELECT k.limit_key, q.id, q.job_type, q.worker_id, q.leased_at, q.lease_expires_at
    FROM {schema}.job_queue q CROSS JOIN LATERAL unnest(q.limit_keys) AS k (limit_key)
    WHERE q.status = 'LEASED' AND q.flow_group IS NOT NULL AND {schema}.limit_of(k.limit_key) = :name
), looked_at AS MATERIALIZED (
    SELECT due.job_type, due.limit_keys
    FROM {schema}.job_definitions d
    CROSS JOIN LATERAL (
        SELECT q.job_type, q.limit_keys FROM {schema}.job_queue q
        WHERE q.job_type = d.job_type AND q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL
        ORDER BY q.priority DESC, q.next_run_at, q.id
        LIMIT :most
    ) due
), waiting AS MATERIALIZED (
    SELECT k.limit_key, count(*) AS jobs
    FROM looked_at w CROSS JOIN LATERAL unnest(w.limit_keys) AS k (limit_key)
    WHERE {schema}.limit_of(k.limit_key) = :name
    GROUP BY k.limit_key
), known AS (
    SELECT l.limit_key FROM {schema}.limit_keys l WHERE {schema}.limit_of(l.limit_key) = :name
    UNION SELECT limit_key FROM leased
    UNION SELECT limit_key FROM waiting
    UNION SELECT name FROM named WHERE keyed_by = 'NONE'
), page AS MATERIALIZED (
    SELECT known.limit_key FROM known CROSS JOIN named
    WHERE (named.keyed_by = 'NONE') = (known.limit_key = named.name) AND (:after::text IS NULL OR known.limit_key > :after)
    ORDER BY known.limit_key
    LIMIT :limit
)
SELECT
    p.limit_key, CASE WHEN named.keyed_by <> 'NONE' THEN substr(p.limit_key, length(named.name) + 2) END AS key,
    (SELECT count(*) FROM leased l WHERE l.limit_key = p.limit_key) AS in_use, coalesce(w.jobs, 0) AS waiting,
    EXISTS (SELECT FROM looked_at GROUP BY job_type HAVING count(*) = :most) AS is_more_waiting, next.begin_at,
    h.id, h.job_type, h.worker_id, h.leased_at, h.lease_expires_at
FROM page p
CROSS JOIN named
LEFT JOIN waiting w ON w.limit_key = p.limit_key
LEFT JOIN LATERAL (
    SELECT s.spent_until
        - named.rate_burst * {schema}.rate_step_us(named.rate_period_us, named.rate_count) * interval '1 microsecond' AS begin_at
    FROM {schema}.limit_keys s
    WHERE s.limit_key = p.limit_key AND named.rate_count IS NOT NULL AND isfinite(s.spent_until)
) next ON next.begin_at > clock_timestamp()
LEFT JOIN LATERAL (
    SELECT l.* FROM leased l WHERE l.limit_key = p.limit_key ORDER BY l.leased_at, l.id LIMIT :holders
) h ON true
ORDER BY p.limit_key, h.leased_at, h.id
