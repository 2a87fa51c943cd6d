-- Locks jobs in id order, steps of workflows or not, as every transaction does that locks several.
SELECT q.id FROM {schema}.job_queue q WHERE q.id = ANY (?::uuid[]) ORDER BY q.id FOR NO KEY UPDATE OF q
