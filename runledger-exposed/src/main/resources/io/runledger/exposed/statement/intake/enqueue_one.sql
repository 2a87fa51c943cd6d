-- Inserts one job as enqueue does, without arrays and joins. Returns its id, or no row if its idempotency key is in use or its type has no
-- enabled definition. The definition is locked KEY SHARE, so that the insert waits for a concurrent disable and sees its result.
INSERT INTO {schema}.job_queue (
    id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, next_run_at, idempotency_key, stage,
    initial_stage, enqueue_request, retry_policy
)
SELECT
    :id::uuid, d.job_type, :organization_id::uuid, :payload::jsonb, coalesce(:priority::int, d.default_priority),
    coalesce(:max_attempts::int, d.max_attempts), coalesce(:timeout_seconds::int, d.default_timeout_seconds),
    coalesce(:run_at::timestamptz, now() + :delay_us::bigint * interval '1 microsecond', now()),
    :idempotency_key::text, :stage::text, nullif(:stage::text, 'queued'), :enqueue_request::jsonb, :retry_policy::jsonb
FROM (
    SELECT job_type, default_priority, max_attempts, default_timeout_seconds
    FROM {schema}.job_definitions
    WHERE job_type = :job_type AND is_enabled
    FOR KEY SHARE
) d
ON CONFLICT (job_type, organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
RETURNING id, CASE WHEN {signals} AND next_run_at <= now() THEN pg_notify({channel}, 'j:' || job_type)::text END AS notified
