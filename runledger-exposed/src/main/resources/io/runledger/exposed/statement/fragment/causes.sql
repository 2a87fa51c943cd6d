-- Groups dead letters by cause, and ends the statement. newest must have: id, of at most :read jobs, which is one more than are grouped. The
-- last of them only tells that there are more.
-- The rows are read by primary key: LATERAL and OFFSET keep the planner to it.
letter AS MATERIALIZED (
    SELECT
        q.id, q.job_type, q.finished_at, q.last_error_code AS error_code,
        nullif({schema}.normalized_message(q.last_error_message), '') AS message,
        CASE WHEN isfinite(q.finished_at) AND q.finished_at > now() - interval '24 hours'
            THEN greatest(0, floor(extract(epoch FROM now() - q.finished_at) / 3600))::int
        END AS hours_ago
    FROM (SELECT n.id FROM newest n LIMIT :read - 1) n
    CROSS JOIN LATERAL (
        SELECT q.id, q.job_type, q.finished_at, q.last_error_code, q.last_error_message
        FROM {schema}.job_queue q WHERE q.id = n.id AND {scope q} OFFSET 0
    ) q
), cause AS MATERIALIZED (
    SELECT
        job_type, error_code, message, count(*) AS letters, min(finished_at) AS first_at, max(finished_at) AS last_at,
        array_agg(hours_ago) FILTER (WHERE hours_ago < 24) AS hours_ago,
        (array_agg(id ORDER BY finished_at DESC, id DESC))[1] AS sample_id
    FROM letter
    GROUP BY job_type, error_code, message
)
SELECT
    (SELECT count(*) FROM letter) AS letters_read,
    (SELECT count(*) FROM newest) < :read AND (SELECT count(*) FROM cause) <= :limit AS is_complete,
    c.*
FROM (VALUES (true)) AS one (row)
LEFT JOIN LATERAL (
    SELECT * FROM cause ORDER BY letters DESC, last_at DESC, job_type, error_code, message LIMIT :limit
) c ON true
ORDER BY c.letters DESC, c.last_at DESC, c.job_type, c.error_code, c.message
