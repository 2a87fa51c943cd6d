-- The candidates of a search, the newest first. {range} is the part of an index to read, {order} its order, and {filters} the conditions
-- that the index does not decide: they are no condition of the statement, so :most bounds the rows that are read.
SELECT q.id, q.priority, q.next_run_at, (true {filters}) AS matches
FROM {schema}.job_queue q
WHERE {range}
ORDER BY {order}
LIMIT :most
