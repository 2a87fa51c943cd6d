-- A page of jobs, newest first. {filters} holds only the conditions of the query, so that the planner plans for exactly those. Statuses are
-- literals, so that the partial indexes of live states can be used.
SELECT
    {fragment/summary_columns}
FROM {schema}.job_queue q
WHERE {scope q} {filters}
ORDER BY q.id DESC
LIMIT :limit
