-- Overwrites schedules that are locked already. Organization, id and history stay.
UPDATE {schema}.job_schedules s
SET job_type = i.job_type, payload_template = i.payload_template::jsonb, cron_expr = i.cron_expr, interval_seconds = i.interval_seconds,
    timezone = i.timezone, max_jitter_seconds = i.max_jitter_seconds, misfire_policy = i.misfire_policy,
    misfire_limit = i.misfire_limit, overlap_policy = i.overlap_policy, is_active = i.is_active, next_fire_at = i.next_fire_at,
    anchor_at = i.anchor_at
FROM unnest(
    ?::uuid[], ?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::int[], ?::text[], ?::int[], ?::text[], ?::int[], ?::text[],
    ?::text[]::boolean[], ?::timestamptz[], ?::timestamptz[]
) AS i (
    id, name, job_type, organization_id, payload_template, cron_expr, interval_seconds, timezone, max_jitter_seconds, misfire_policy,
    misfire_limit, overlap_policy, is_active, next_fire_at, anchor_at
)
WHERE s.id = i.id
RETURNING s.*
