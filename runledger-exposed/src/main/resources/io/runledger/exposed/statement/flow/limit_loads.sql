-- The use of all limits, one row for each limit that a running or a due job names. Queues are left out.
-- The leased jobs are as many as the fleet runs. Of each job type, up to :most due jobs are looked at, along the index of the claims.
WITH looked_at AS MATERIALIZED (
    SELECT due.job_type, due.limit_keys
    FROM {schema}.job_definitions d
    CROSS JOIN LATERAL (
        SELECT q.job_type, q.limit_keys FROM {schema}.job_queue q
        WHERE q.job_type = d.job_type AND q.status = 'PENDING' AND NOT q.is_paused AND NOT q.is_delayed AND q.flow_group IS NOT NULL
        LIMIT :most
    ) due
), used AS (
    SELECT {schema}.limit_of(k.limit_key) AS name, 1 AS leased, 0 AS waiting
    FROM {schema}.job_queue q CROSS JOIN LATERAL unnest(q.limit_keys) AS k (limit_key)
    WHERE q.status = 'LEASED' AND q.flow_group IS NOT NULL
    UNION ALL
    SELECT {schema}.limit_of(k.limit_key), 0, 1
    FROM looked_at w CROSS JOIN LATERAL unnest(w.limit_keys) AS k (limit_key)
)
SELECT
    u.name, sum(u.leased) AS in_use, sum(u.waiting) AS waiting,
    EXISTS (SELECT FROM looked_at GROUP BY job_type HAVING count(*) = :most) AS is_more_waiting
FROM used u
WHERE u.name NOT LIKE 'queue:%'
GROUP BY u.name
ORDER BY u.name
