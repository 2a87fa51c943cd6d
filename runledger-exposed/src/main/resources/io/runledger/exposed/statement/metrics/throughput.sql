-- The attempts that ended in a window, per bucket of time. One row per bucket that has attempts, with the bounds of the window and the
-- number of attempts read in every row; a single row without a bucket if there are none, or too many.
-- For the whole ledger no job is read. For a scope, LATERAL and OFFSET keep the planner to one lookup per attempt.
WITH {fragment/ended_attempts}, counted AS (
    SELECT
        least(:buckets - 1, floor(extract(epoch FROM e.finished_at - s.since) * 1000000 * :buckets / :window_us))::int AS bucket,
        count(*) FILTER (WHERE e.outcome = 'SUCCEEDED') AS succeeded,
        count(*) FILTER (WHERE e.outcome IN ({fragment/failures}) AND e.retry_delay_ms IS NOT NULL) AS failed,
        count(*) FILTER (WHERE e.outcome IN ({fragment/failures}) AND e.retry_delay_ms IS NULL) AS dead_lettered
    FROM ended e
    CROSS JOIN span s
    LEFT JOIN LATERAL (
        SELECT true AS is_wanted FROM {schema}.job_queue q WHERE NOT :is_whole::bool AND q.id = e.job_id AND {scope q} OFFSET 0
    ) q ON true
    WHERE (:is_whole::bool OR q.is_wanted) AND (SELECT count(*) FROM ended) < :most
    GROUP BY 1
)
SELECT s.since, s.until, total.attempts, c.bucket, c.succeeded, c.failed, c.dead_lettered
FROM span s CROSS JOIN (SELECT count(*) AS attempts FROM ended) total LEFT JOIN counted c ON true
