-- Inserts the rows of the relation new_job into job_queue. This is the only list of the columns that a new job is given; the table's own
-- defaults apply to all others.
-- new_job must have: id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds.
-- It may have: the columns of absent. flow is what resolve_flow returns; the ids of flow groups begin with the share (see pick_flow). With a lease_id, a worker_id and lease_seconds, the job is leased as by a claim ahead.
-- The names in the inner SELECT have no qualifier on purpose: a column that new_job does not have is found in absent, one level out, and
-- has the value given there. The planner folds absent into constants, so it costs nothing.
-- The including statement may go on with ON CONFLICT and RETURNING.
INSERT INTO {schema}.job_queue (
    id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, created_at, updated_at, next_run_at, is_step,
    is_paused, stage, initial_stage, idempotency_key, enqueue_request, retry_policy, headers, status, attempt, lease_id, worker_id,
    lease_seconds, claim_origin, started_at, leased_at, last_heartbeat_at, lease_expires_at, flow_group, queue, limit_keys, order_key,
    holds_order, share_key
)
SELECT given.*
FROM (
    SELECT
        now() AS created_at, now() AS updated_at, now() AS next_run_at, false AS is_step, false AS is_paused, 'queued' AS stage,
        NULL::text AS idempotency_key, NULL::jsonb AS enqueue_request, NULL::jsonb AS retry_policy,
        NULL::jsonb AS headers, NULL::jsonb AS flow, NULL::uuid AS lease_id, NULL::text AS worker_id, NULL::int AS lease_seconds
) absent
CROSS JOIN LATERAL (
    SELECT
        id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, created_at, updated_at, next_run_at, is_step,
        is_paused, stage, nullif(stage, 'queued'), idempotency_key, enqueue_request, retry_policy, headers,
        CASE WHEN lease_id IS NULL THEN 'PENDING'::{schema}.job_status ELSE 'LEASED' END, CASE WHEN lease_id IS NULL THEN 0 ELSE 1 END,
        lease_id, worker_id, lease_seconds, CASE WHEN lease_id IS NOT NULL THEN 'WORKER_PRESTART' END,
        CASE WHEN lease_id IS NOT NULL THEN now() END, CASE WHEN lease_id IS NOT NULL THEN now() END,
        CASE WHEN lease_id IS NOT NULL THEN now() END,
        CASE WHEN lease_id IS NOT NULL THEN now() + lease_seconds * interval '1 second' END,
        CASE WHEN flow IS NOT NULL THEN
            (left(md5(coalesce(flow ->> 'share', flow::text)), 16) || left(md5(flow::text), 16))::uuid
        END,
        flow ->> 'queue',
        CASE WHEN flow IS NOT NULL THEN
            (SELECT array_agg(k.limit_key) FROM jsonb_array_elements_text(flow -> 'limits') AS k (limit_key))
        END,
        flow ->> 'order', (flow ->> 'holds')::boolean, flow ->> 'share'
    FROM new_job
) given
