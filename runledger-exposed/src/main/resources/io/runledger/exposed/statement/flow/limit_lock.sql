-- Locks a limit, so that its values change in one order. Claims and enqueues only read it.
SELECT l.* FROM {schema}.limits l WHERE l.name = :name FOR NO KEY UPDATE
