-- The oldest jobs that match a selection, among those that are not history for good. Locks nothing.
-- Parameters: job types, statuses, error code, age in microseconds, scope (three times), limit.
-- One arm per status, written out, because each has a partial index of its own.
WITH wanted AS MATERIALIZED (
    SELECT ?::text[] AS job_types, ?::text[] AS statuses, ?::text AS error_code, now() - ?::bigint * interval '1 microsecond' AS cutoff
)
SELECT q.id, q.status, q.run_number
FROM wanted w
CROSS JOIN LATERAL (
    SELECT q.* FROM {schema}.job_queue q WHERE q.status = 'PENDING' AND 'PENDING' = ANY (w.statuses) AND {scope q}
    UNION ALL
    SELECT q.* FROM {schema}.job_queue q WHERE q.status = 'LEASED' AND 'LEASED' = ANY (w.statuses) AND {scope q}
    UNION ALL
    SELECT q.* FROM {schema}.job_queue q WHERE q.status = 'DEAD_LETTERED' AND 'DEAD_LETTERED' = ANY (w.statuses) AND {scope q}
) q
WHERE (cardinality(w.job_types) = 0 OR q.job_type = ANY (w.job_types))
    AND (w.error_code IS NULL OR q.last_error_code = w.error_code)
    AND (w.cutoff IS NULL OR q.created_at < w.cutoff)
    AND NOT (q.is_step AND q.status = 'DEAD_LETTERED')
ORDER BY q.id
LIMIT ?
