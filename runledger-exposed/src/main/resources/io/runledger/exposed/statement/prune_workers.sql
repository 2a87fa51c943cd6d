-- Takes workers off the list that have not beaten for long and are believed lost; rows that somebody holds are skipped.
-- Parameters: age in microseconds, limit.
WITH gone AS MATERIALIZED (
    SELECT w.id FROM {schema}.workers w
    WHERE w.beat_at <= now() - greatest(?::bigint * interval '1 microsecond', 3 * w.beat_ms * interval '1 millisecond')
    LIMIT ?
    FOR UPDATE OF w SKIP LOCKED
)
DELETE FROM {schema}.workers w USING gone WHERE w.id = gone.id
