-- Stores an order and notifies the workers. :at_most_us is the longest time that the order is in force, or null.
WITH given AS (
    INSERT INTO {schema}.worker_orders (id, kind, label, reason, ordered_at, ends_at)
    SELECT :id, :kind, :label, :reason, given_at, given_at + :at_most_us::bigint * interval '1 microsecond' FROM clock_timestamp() given_at
    RETURNING *
), signal AS (
    SELECT pg_notify({channel}, 'w:' || id) FROM given WHERE {signals}
)
SELECT given.*, false AS is_over FROM given CROSS JOIN (SELECT count(*) FROM signal) sent
