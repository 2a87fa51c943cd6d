-- Inserts one job, as enqueue does many, without arrays and joins: answers with its id, or with nothing when it has an idempotency
-- key in use or no enabled definition.
-- The definition is locked KEY SHARE, so that a disable in progress is waited for and then seen.
INSERT INTO {schema}.job_queue (
    id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, next_run_at, idempotency_key, stage,
    initial_stage, enqueue_request, retry_policy
)
SELECT
    ?::uuid, d.job_type, ?::uuid, ?::jsonb, coalesce(?::int, d.default_priority), coalesce(?::int, d.max_attempts),
    coalesce(?::int, d.default_timeout_seconds), coalesce(?::timestamptz, now() + ?::bigint * interval '1 microsecond', now()),
    ?::text, ?::text, nullif(?::text, 'queued'), ?::jsonb, ?::jsonb
FROM (
    SELECT job_type, default_priority, max_attempts, default_timeout_seconds
    FROM {schema}.job_definitions
    WHERE job_type = ? AND is_enabled
    FOR KEY SHARE
) d
ON CONFLICT (job_type, organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
RETURNING id, CASE WHEN {signals} AND next_run_at <= now() THEN pg_notify({channel}, 'j:' || job_type)::text END AS told
