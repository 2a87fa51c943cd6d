-- Takes the dead letters that are due for a hook, the longest due first, and reserves them for :lease_us microseconds. A row that another
-- session is taking is skipped.
WITH due AS MATERIALIZED (
    SELECT d.job_id, d.run_number
    FROM unnest(:job_types::text[]) AS t (job_type)
    CROSS JOIN LATERAL (
        SELECT w.job_id, w.run_number, w.due_at
        FROM {schema}.job_dead_letter_deliveries w
        WHERE w.hook = :hook AND w.job_type = t.job_type AND w.due_at <= (SELECT clock_timestamp())
        ORDER BY w.due_at
        LIMIT :limit
        FOR NO KEY UPDATE OF w SKIP LOCKED
    ) d
    ORDER BY d.due_at
    LIMIT :limit
), taken AS (
    UPDATE {schema}.job_dead_letter_deliveries w
    SET due_at = clock_timestamp() + :lease_us * interval '1 microsecond', tries = w.tries + 1
    FROM due
    WHERE w.job_id = due.job_id AND w.run_number = due.run_number AND w.hook = :hook
    RETURNING w.job_id, w.run_number, w.hook, w.tries
)
SELECT t.hook, t.tries, l.*, q.headers
FROM taken t JOIN {schema}.job_dead_letters l ON l.job_id = t.job_id AND l.run_number = t.run_number
LEFT JOIN {schema}.job_queue q ON q.id = t.job_id
ORDER BY l.failed_at, l.job_id
