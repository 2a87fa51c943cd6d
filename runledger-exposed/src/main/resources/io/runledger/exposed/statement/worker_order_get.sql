-- An order. Parameter: id.
SELECT o.* FROM {schema}.worker_orders o WHERE o.id = ?
