-- A page of jobs, newest first. {filters} holds only the conditions of the query, so that the planner plans for exactly those. Statuses are
-- literals, so that the partial indexes of live states can be used.
SELECT
    q.id, q.job_type, q.organization_id, q.status, q.stage, q.priority, q.run_number, q.attempt, q.max_attempts, q.progress_done,
    q.progress_total, q.idempotency_key, q.next_run_at, q.created_at, q.updated_at, q.started_at, q.finished_at
FROM {schema}.job_queue q
WHERE {scope q} {filters}
ORDER BY q.id DESC
LIMIT :limit
