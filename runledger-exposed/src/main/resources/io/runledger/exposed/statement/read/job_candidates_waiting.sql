-- The candidates of a search among waiting jobs of a type, in the order of claims. {range} is one part of the index that claims read, in
-- which the paused and the delayed jobs are apart; the parts are merged. {filters} as in job_candidates.
SELECT q.id, q.priority, q.next_run_at, (true {filters}) AS matches
FROM {schema}.job_queue q
WHERE q.status = 'PENDING' AND {range}
ORDER BY q.priority DESC, q.next_run_at, q.id
LIMIT :most
