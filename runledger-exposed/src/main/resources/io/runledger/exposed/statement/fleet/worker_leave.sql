-- Deletes a worker from the list.
DELETE FROM {schema}.workers WHERE id = :id
