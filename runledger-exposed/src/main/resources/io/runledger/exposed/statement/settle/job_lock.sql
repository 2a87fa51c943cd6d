-- Locks jobs in id order, whether or not they are workflow steps. Every transaction that locks several jobs uses this order.
SELECT q.id FROM {schema}.job_queue q WHERE q.id = ANY (:job_ids::uuid[]) ORDER BY q.id FOR NO KEY UPDATE OF q
