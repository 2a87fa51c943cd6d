-- A limit, or what an operator has set for a queue.
SELECT l.* FROM {schema}.limits l WHERE l.name = :name
