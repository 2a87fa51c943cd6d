-- Inserts one job as enqueue does, without arrays and joins. Returns its id, or no row if its idempotency key is in use or its type has no
-- enabled definition. The definition is locked KEY SHARE, so that the insert waits for a concurrent disable and sees its result.
WITH definition AS MATERIALIZED (
    SELECT {fragment/definition_defaults}
    FROM {schema}.job_definitions
    WHERE job_type = :job_type AND is_enabled
    FOR KEY SHARE
), new_job AS (
    SELECT
        :id::uuid AS id, d.job_type, :organization_id::uuid AS organization_id, :payload::jsonb AS payload,
        coalesce(:priority::int, d.default_priority) AS priority, coalesce(:max_attempts::int, d.max_attempts) AS max_attempts,
        coalesce(:timeout_seconds::int, d.default_timeout_seconds) AS timeout_seconds,
        coalesce(:run_at::timestamptz, now() + :delay_us::bigint * interval '1 microsecond', now()) AS next_run_at,
        :stage::text AS stage, :idempotency_key::text AS idempotency_key, :enqueue_request::jsonb AS enqueue_request,
        :retry_policy::jsonb AS retry_policy, :headers::jsonb AS headers
    FROM definition d
)
{fragment/insert_job}
ON CONFLICT (job_type, organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
RETURNING id, CASE WHEN {signals} AND next_run_at <= now() THEN pg_notify({channel}, 'j:' || job_type)::text END AS notified
