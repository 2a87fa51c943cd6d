-- The jobs of one status whose last failure has a code, newest first. The index on the code continues with status and id. {filters} compares
-- the status as a range: with a constant, the planner would take the primary key for an index in the same order and read all history.
SELECT
    {fragment/summary_columns}
FROM {schema}.job_queue q
WHERE q.last_error_code = :error_code AND {scope q} {filters}
ORDER BY q.status DESC, q.id DESC
LIMIT :limit
