-- Inserts the schedules whose name is free and returns them. The input is in name order, so that two concurrent calls wait for each other
-- instead of deadlocking.
INSERT INTO {schema}.job_schedules (
    id, name, job_type, organization_id, payload_template, cron_expr, interval_seconds, timezone, max_jitter_seconds, misfire_policy,
    misfire_limit, overlap_policy, is_active, next_fire_at, anchor_at, kind, workflow_type, workflow_request, version, headers
)
SELECT
    id, name, job_type, organization_id, payload_template::jsonb, cron_expr, interval_seconds, timezone, max_jitter_seconds,
    misfire_policy, misfire_limit, overlap_policy, is_active, next_fire_at, anchor_at, kind, workflow_type, workflow_request::jsonb, version,
    headers::jsonb
FROM unnest(
    :ids::uuid[], :names::text[], :job_types::text[], :organization_ids::uuid[], :payload_templates::text[], :cron_exprs::text[],
    :interval_seconds::int[], :timezones::text[], :max_jitter_seconds::int[], :misfire_policies::text[], :misfire_limits::int[],
    :overlap_policies::text[], :is_active::text[]::boolean[], :next_fire_at::timestamptz[], :anchor_at::timestamptz[], :kinds::text[],
    :workflow_types::text[], :workflow_requests::text[], :versions::int[], :headers::text[]
) AS i (
    id, name, job_type, organization_id, payload_template, cron_expr, interval_seconds, timezone, max_jitter_seconds, misfire_policy,
    misfire_limit, overlap_policy, is_active, next_fire_at, anchor_at, kind, workflow_type, workflow_request, version, headers
)
ON CONFLICT (name) DO NOTHING
RETURNING *
