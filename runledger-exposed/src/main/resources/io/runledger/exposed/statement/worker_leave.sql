-- Takes a worker off the list. Parameter: id.
DELETE FROM {schema}.workers WHERE id = ?
