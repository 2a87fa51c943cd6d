-- Deletes workers from the list that have sent no heartbeat for the given age and count as lost. Rows that another session holds are
-- skipped.
WITH gone AS MATERIALIZED (
    SELECT w.id FROM {schema}.workers w
    WHERE w.beat_at <= now() - greatest(:age_us::bigint * interval '1 microsecond', 3 * w.beat_ms * interval '1 millisecond')
    LIMIT :limit
    FOR UPDATE OF w SKIP LOCKED
)
DELETE FROM {schema}.workers w USING gone WHERE w.id = gone.id
