-- Overwrites schedules that are already locked. Organization, id and history stay. The history records which schedules were paused or
-- resumed, with :switch_reason, and which deferred instants are not retried, with :dropped_reason.
WITH input AS (
    SELECT * FROM unnest(
        :ids::uuid[], :names::text[], :job_types::text[], :organization_ids::uuid[], :payload_templates::text[], :cron_exprs::text[],
        :interval_seconds::int[], :timezones::text[], :max_jitter_seconds::int[], :misfire_policies::text[], :misfire_limits::int[],
        :overlap_policies::text[], :is_active::text[]::boolean[], :next_fire_at::timestamptz[], :anchor_at::timestamptz[],
        :kinds::text[], :workflow_types::text[], :workflow_requests::text[], :versions::int[], :declared_is_active::boolean[],
        :headers::text[]
    ) AS i (
        id, name, job_type, organization_id, payload_template, cron_expr, interval_seconds, timezone, max_jitter_seconds, misfire_policy,
        misfire_limit, overlap_policy, is_active, next_fire_at, anchor_at, kind, workflow_type, workflow_request, version,
        declared_is_active, headers
    )
), switched AS (
    INSERT INTO {schema}.job_schedule_fires (schedule_id, scheduled_for, fired_at, cause, outcome, reason)
    SELECT s.id, stamp.at, stamp.at, 'OPERATOR', CASE WHEN i.is_active THEN 'RESUMED' ELSE 'PAUSED' END, :switch_reason
    FROM input i JOIN {schema}.job_schedules s ON s.id = i.id AND s.is_active <> i.is_active
    CROSS JOIN (SELECT clock_timestamp() AS at) stamp
), dropped AS (
    UPDATE {schema}.job_schedule_fires f
    SET outcome = 'SKIPPED_MISFIRE', fired_at = clock_timestamp(), reason = concat_ws(' ', :dropped_reason::text, f.reason)
    FROM input i JOIN {schema}.job_schedules s ON s.id = i.id
    WHERE NOT (i.is_active AND s.next_fire_at = i.next_fire_at) AND f.schedule_id = s.id AND f.scheduled_for = s.deferred_from
        AND f.cause = 'CLOCK' AND f.outcome = 'DEFERRED'
)
UPDATE {schema}.job_schedules s
SET job_type = i.job_type, payload_template = i.payload_template::jsonb, cron_expr = i.cron_expr, interval_seconds = i.interval_seconds,
    timezone = i.timezone, max_jitter_seconds = i.max_jitter_seconds, misfire_policy = i.misfire_policy,
    misfire_limit = i.misfire_limit, overlap_policy = i.overlap_policy, is_active = i.is_active, next_fire_at = i.next_fire_at,
    anchor_at = i.anchor_at, kind = i.kind, workflow_type = i.workflow_type, workflow_request = i.workflow_request::jsonb,
    version = i.version, declared_is_active = i.declared_is_active, headers = i.headers::jsonb,
    deferred_from = CASE WHEN i.is_active AND s.next_fire_at = i.next_fire_at THEN s.deferred_from END
FROM input i
WHERE s.id = i.id
RETURNING s.*
