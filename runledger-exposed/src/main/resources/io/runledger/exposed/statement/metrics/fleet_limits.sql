-- The load of the first :names limits, in order of name, without those of queues. A job counts for each of its limits.
-- The leased jobs are as many as the fleet runs. Of each job type, up to :limit due jobs are looked at, along the index of the claims, so
-- waiting means at least if one type has as many.
WITH named AS MATERIALIZED (
    SELECT l.name, l.keyed_by, l.permits FROM {schema}.limits l WHERE l.name NOT LIKE 'queue:%' ORDER BY l.name LIMIT :names
), leased AS (
    SELECT {schema}.limit_of(k.limit_key) AS name, count(*) AS jobs
    FROM {schema}.job_queue q CROSS JOIN LATERAL unnest(q.limit_keys) AS k (limit_key)
    WHERE q.status = 'LEASED' AND q.flow_group IS NOT NULL
    GROUP BY 1
), looked_at AS MATERIALIZED (
    SELECT due.job_type, due.limit_keys
    FROM {schema}.job_definitions d
    CROSS JOIN LATERAL (
        SELECT q.job_type, q.limit_keys FROM {schema}.job_queue q
        WHERE q.job_type = d.job_type AND q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL
        ORDER BY q.priority DESC, q.flow_group, q.next_run_at, q.id
        LIMIT :limit
    ) due
    WHERE EXISTS (SELECT FROM named)
), waiting AS (
    SELECT {schema}.limit_of(k.limit_key) AS name, count(*) AS jobs
    FROM looked_at w CROSS JOIN LATERAL unnest(w.limit_keys) AS k (limit_key)
    GROUP BY 1
)
SELECT
    n.name, n.keyed_by, n.permits, coalesce(l.jobs, 0) AS in_use, coalesce(w.jobs, 0) AS waiting,
    EXISTS (SELECT FROM looked_at GROUP BY job_type HAVING count(*) >= :limit) AS is_capped
FROM named n
LEFT JOIN leased l ON l.name = n.name
LEFT JOIN waiting w ON w.name = n.name
ORDER BY n.name
