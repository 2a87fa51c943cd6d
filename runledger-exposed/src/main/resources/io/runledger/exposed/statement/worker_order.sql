-- Gives an order and tells the workers to look. Parameters: id, kind, label, reason.
WITH given AS (
    INSERT INTO {schema}.worker_orders (id, kind, label, reason, ordered_at) VALUES (?, ?, ?, ?, clock_timestamp())
    RETURNING *
), signal AS (
    SELECT pg_notify({channel}, 'w:' || id) FROM given WHERE {signals}
)
SELECT given.* FROM given CROSS JOIN (SELECT count(*) FROM signal) told
