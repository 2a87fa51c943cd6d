-- The durations of the last attempts of the jobs of a type that ended last. One row per bucket that has attempts, with the numbers of all in
-- every row; a single row without a bucket if there are none, or if the window has too many attempts. Durations are in microseconds.
-- No index has ended jobs by type, and none is worth its cost at every settlement. The jobs are found through the attempts that ended in the
-- window, each by its primary key: LATERAL and OFFSET keep the planner to it.
WITH {fragment/ended_attempts}, job AS MATERIALIZED (
    SELECT e.job_id
    FROM ended e
    CROSS JOIN LATERAL (
        SELECT FROM {schema}.job_queue q
        WHERE q.id = e.job_id AND q.job_type = :job_type AND q.status IN ('SUCCEEDED', 'DEAD_LETTERED', 'CANCELED') AND {scope q}
        OFFSET 0
    ) q
    WHERE (SELECT count(*) FROM ended) < :most
    GROUP BY e.job_id
    ORDER BY max(e.finished_at) DESC, e.job_id DESC
    LIMIT :jobs
), attempt AS MATERIALIZED (
    SELECT a.finished_at, greatest(0, extract(epoch FROM a.finished_at - a.started_at) * 1000000)::bigint AS duration
    FROM job j
    CROSS JOIN LATERAL (
        SELECT a.started_at, a.finished_at, a.outcome
        FROM {schema}.job_attempts a
        WHERE a.job_id = j.job_id
        ORDER BY a.run_number DESC, a.attempt DESC
        LIMIT :per_job
    ) a
    WHERE a.outcome <> 'INTERRUPTED'
), summary AS (
    SELECT
        count(*) AS attempts, min(finished_at) AS since, max(duration) AS longest,
        percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY duration) AS percentiles
    FROM attempt
), bucket AS (
    SELECT least(width_bucket(duration, :bounds::bigint[]), cardinality(:bounds::bigint[]) - 1) AS bucket, count(*) AS attempts
    FROM attempt
    GROUP BY 1
)
SELECT
    (SELECT count(*) FROM ended) AS attempts_read, s.attempts, s.since, s.percentiles[1]::bigint AS p50, s.percentiles[2]::bigint AS p95,
    s.percentiles[3]::bigint AS p99, s.longest, b.bucket, b.attempts AS attempts_in_bucket
FROM summary s LEFT JOIN bucket b ON true
