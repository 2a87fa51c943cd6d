-- Gives an order and tells the workers to look. Parameters: id, kind, label, reason, how long it stands at most
-- in microseconds.
WITH given AS (
    INSERT INTO {schema}.worker_orders (id, kind, label, reason, ordered_at, ends_at)
    SELECT ?, ?, ?, ?, given_at, given_at + ?::bigint * interval '1 microsecond' FROM clock_timestamp() given_at
    RETURNING *
), signal AS (
    SELECT pg_notify({channel}, 'w:' || id) FROM given WHERE {signals}
)
SELECT given.*, false AS is_over FROM given CROSS JOIN (SELECT count(*) FROM signal) told
