-- Inserts schedules whose name is free; answers with those. In the order given: by name, so that two calls wait instead of deadlocking.
INSERT INTO {schema}.job_schedules (
    id, name, job_type, organization_id, payload_template, cron_expr, interval_seconds, timezone, max_jitter_seconds, misfire_policy,
    misfire_limit, overlap_policy, is_active, next_fire_at, anchor_at, kind, workflow_type, workflow_request, version
)
SELECT
    id, name, job_type, organization_id, payload_template::jsonb, cron_expr, interval_seconds, timezone, max_jitter_seconds,
    misfire_policy, misfire_limit, overlap_policy, is_active, next_fire_at, anchor_at, kind, workflow_type, workflow_request::jsonb, version
FROM unnest(
    ?::uuid[], ?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::int[], ?::text[], ?::int[], ?::text[], ?::int[], ?::text[],
    ?::text[]::boolean[], ?::timestamptz[], ?::timestamptz[], ?::text[], ?::text[], ?::text[], ?::int[]
) AS i (
    id, name, job_type, organization_id, payload_template, cron_expr, interval_seconds, timezone, max_jitter_seconds, misfire_policy,
    misfire_limit, overlap_policy, is_active, next_fire_at, anchor_at, kind, workflow_type, workflow_request, version
)
ON CONFLICT (name) DO NOTHING
RETURNING *
