-- Inserts runs with their counters, which are known because the caller decides which steps begin or are skipped at once. Returns the ids of
-- the inserted runs. A run is not inserted if its idempotency key is in use or if another run holds its active key.
-- The statement inserts an active key together with its run, so that no key refers to a run that does not exist.
WITH input AS (
    SELECT * FROM unnest(
        :ids::uuid[], :workflow_types::text[], :organization_ids::uuid[], :idempotency_keys::text[], :metadata::text[],
        :enqueue_requests::text[], :result_step_keys::text[], :statuses::text[], :open_steps::int[], :active_steps::int[],
        :waiting_steps::int[], :active_scopes::text[], :active_keys::text[], :contexts::text[], :context_merges::text[],
        :headers::text[]
    ) AS i (
        id, workflow_type, organization_id, idempotency_key, metadata, enqueue_request, result_step_key, status, open_steps, active_steps,
        waiting_steps, active_scope, active_key, context, context_merge, headers
    )
), claim AS (
    INSERT INTO {schema}.workflow_active_claims (workflow_run_id, scope, active_key)
    SELECT id, active_scope, active_key FROM input WHERE active_key IS NOT NULL
    ON CONFLICT (scope, active_key) DO NOTHING
    RETURNING workflow_run_id
)
INSERT INTO {schema}.workflow_runs (
    id, workflow_type, organization_id, idempotency_key, metadata, enqueue_request, result_step_key, status, open_steps, active_steps,
    waiting_steps, context, context_merge, finished_at, headers
)
SELECT
    i.id, i.workflow_type, i.organization_id, i.idempotency_key, i.metadata::jsonb, i.enqueue_request::jsonb, i.result_step_key,
    i.status::{schema}.workflow_run_status, i.open_steps, i.active_steps, i.waiting_steps,
    i.context::jsonb, i.context_merge, CASE WHEN i.status = 'SUCCEEDED' THEN clock_timestamp() END, i.headers::jsonb
FROM input i
WHERE i.active_key IS NULL OR EXISTS (SELECT FROM claim c WHERE c.workflow_run_id = i.id)
ON CONFLICT (workflow_type, organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
RETURNING id
