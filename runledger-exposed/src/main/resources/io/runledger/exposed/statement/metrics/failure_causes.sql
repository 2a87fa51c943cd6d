-- The failed attempts of a window by job type and code, most frequent first. The number of attempts read is in every row; a single row
-- without a cause if there are none, or too many. LATERAL and OFFSET keep the planner to one lookup per failed attempt.
WITH {fragment/ended_attempts}, cause AS (
    SELECT q.job_type, e.error_code, count(*) AS failures, max(e.finished_at) AS last_at
    FROM ended e
    CROSS JOIN LATERAL (SELECT q.job_type FROM {schema}.job_queue q WHERE q.id = e.job_id AND {scope q} OFFSET 0) q
    WHERE e.outcome IN ({fragment/failures}) AND (SELECT count(*) FROM ended) < :most
    GROUP BY q.job_type, e.error_code
    ORDER BY failures DESC, last_at DESC, q.job_type, e.error_code
    LIMIT :limit
)
SELECT total.attempts, c.*
FROM (SELECT count(*) AS attempts FROM ended) total LEFT JOIN cause c ON true
ORDER BY c.failures DESC, c.last_at DESC, c.job_type, c.error_code
