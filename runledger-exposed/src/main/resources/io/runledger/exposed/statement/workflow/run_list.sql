-- A page of runs, newest first. {filters} stands for the conditions of the query, as in job_list.
SELECT
    r.id, r.workflow_type, r.organization_id, r.status, r.status_reason, r.paused_at, r.pause_reason, r.open_steps, r.active_steps,
    r.waiting_steps, r.error_steps, r.idempotency_key, r.started_at, r.finished_at, r.created_at, r.updated_at
FROM {schema}.workflow_runs r
WHERE {scope r} {filters}
ORDER BY r.id DESC
LIMIT :limit
