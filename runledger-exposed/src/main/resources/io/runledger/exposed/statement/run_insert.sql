-- Inserts runs, already counted: what becomes of their steps at once is known before they are written. Answers with the ids that were
-- inserted. Not inserted is what has an idempotency key in use or an active key that another run holds.
-- An active key is inserted with its run, in one statement, so that no key points at a run that is not there.
WITH input AS (
    SELECT * FROM unnest(
        ?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::int[], ?::int[], ?::int[], ?::text[],
        ?::text[], ?::text[], ?::text[]
    ) AS i (
        id, workflow_type, organization_id, idempotency_key, metadata, enqueue_request, result_step_key, status, open_steps, active_steps,
        waiting_steps, active_scope, active_key, context, context_merge
    )
), claim AS (
    INSERT INTO {schema}.workflow_active_claims (workflow_run_id, scope, active_key)
    SELECT id, active_scope, active_key FROM input WHERE active_key IS NOT NULL
    ON CONFLICT (scope, active_key) DO NOTHING
    RETURNING workflow_run_id
)
INSERT INTO {schema}.workflow_runs (
    id, workflow_type, organization_id, idempotency_key, metadata, enqueue_request, result_step_key, status, open_steps, active_steps,
    waiting_steps, context, context_merge, finished_at
)
SELECT
    i.id, i.workflow_type, i.organization_id, i.idempotency_key, i.metadata::jsonb, i.enqueue_request::jsonb, i.result_step_key,
    i.status::{schema}.workflow_run_status, i.open_steps, i.active_steps, i.waiting_steps,
    i.context::jsonb, i.context_merge, CASE WHEN i.status = 'SUCCEEDED' THEN clock_timestamp() END
FROM input i
WHERE i.active_key IS NULL OR EXISTS (SELECT FROM claim c WHERE c.workflow_run_id = i.id)
ON CONFLICT (workflow_type, organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
RETURNING id
