-- Hands out letters that wait for a hook, the longest due first, and keeps them from everybody else for a while. Letters that somebody
-- is just taking are skipped. Parameters: job types, hook, limit (twice), that while in microseconds, hook.
WITH due AS MATERIALIZED (
    SELECT d.job_id, d.run_number
    FROM unnest(?::text[]) AS t (job_type)
    CROSS JOIN LATERAL (
        SELECT w.job_id, w.run_number, w.due_at
        FROM {schema}.job_dead_letter_deliveries w
        WHERE w.hook = ? AND w.job_type = t.job_type AND w.due_at <= (SELECT clock_timestamp())
        ORDER BY w.due_at
        LIMIT ?
        FOR NO KEY UPDATE OF w SKIP LOCKED
    ) d
    ORDER BY d.due_at
    LIMIT ?
), taken AS (
    UPDATE {schema}.job_dead_letter_deliveries w
    SET due_at = clock_timestamp() + ? * interval '1 microsecond', tries = w.tries + 1
    FROM due
    WHERE w.job_id = due.job_id AND w.run_number = due.run_number AND w.hook = ?
    RETURNING w.job_id, w.run_number, w.hook, w.tries
)
SELECT t.hook, t.tries, l.*
FROM taken t JOIN {schema}.job_dead_letters l ON l.job_id = t.job_id AND l.run_number = t.run_number
ORDER BY l.failed_at, l.job_id
