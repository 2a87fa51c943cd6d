-- Inserts the rows of the relation new_job into job_queue. This is the only list of the columns that a new job is given; the table's own
-- defaults apply to all others.
-- new_job must have: id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds.
-- It may have: the columns of absent. The names in the inner SELECT have no qualifier on purpose: a column that new_job does not have is
-- found in absent, one level out, and has the value given there. The planner folds absent into constants, so it costs nothing.
-- The including statement may go on with ON CONFLICT and RETURNING.
INSERT INTO {schema}.job_queue (
    id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, created_at, updated_at, next_run_at, is_step,
    is_paused, stage, initial_stage, idempotency_key, enqueue_request, retry_policy, headers
)
SELECT given.*
FROM (
    SELECT
        now() AS created_at, now() AS updated_at, now() AS next_run_at, false AS is_step, false AS is_paused, 'queued' AS stage,
        NULL::text AS idempotency_key, NULL::jsonb AS enqueue_request, NULL::jsonb AS retry_policy,
        NULL::jsonb AS headers
) absent
CROSS JOIN LATERAL (
    SELECT
        id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, created_at, updated_at, next_run_at, is_step,
        is_paused, stage, nullif(stage, 'queued'), idempotency_key, enqueue_request, retry_policy, headers
    FROM new_job
) given
