-- Inserts jobs and returns the ids of those inserted. A job is not inserted if its idempotency key is in use, or if its type has no enabled
-- definition; enqueue_existing tells the two apart. If it finds neither, the job that held the key has just been deleted, and the caller
-- retries the insert.
-- Each definition is locked once, so that the insert waits for a concurrent disable and sees its result. KEY SHARE, because enqueues must
-- wait only for a disable, which takes the row FOR UPDATE, and not for each other. In type order, so that the two cannot deadlock.
-- One notification is sent per type, and only for jobs that are due now. The CTE signal runs because the result joins it.
WITH input AS (
    SELECT * FROM unnest(
        :ids::uuid[], :job_types::text[], :organization_ids::uuid[], :payloads::text[], :priorities::int[], :max_attempts::int[],
        :timeout_seconds::int[], :run_times::timestamptz[], :delays_us::bigint[], :idempotency_keys::text[], :stages::text[],
        :enqueue_requests::text[], :retry_policies::text[], :headers::text[], :flows::text[]
    ) WITH ORDINALITY AS i (
        id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, run_at, delay_us, idempotency_key, stage,
        enqueue_request, retry_policy, headers, flow, nth
    )
), definition AS MATERIALIZED (
    SELECT {fragment/definition_defaults}
    FROM {schema}.job_definitions
    WHERE job_type = ANY (SELECT job_type FROM input) AND is_enabled
    ORDER BY job_type
    FOR KEY SHARE
), new_job AS (
    SELECT
        i.id, i.job_type, i.organization_id, i.payload::jsonb AS payload, coalesce(i.priority, d.default_priority) AS priority,
        coalesce(i.max_attempts, d.max_attempts) AS max_attempts,
        coalesce(i.timeout_seconds, d.default_timeout_seconds) AS timeout_seconds,
        coalesce(i.run_at, now() + i.delay_us * interval '1 microsecond', now()) AS next_run_at, i.stage, i.idempotency_key,
        i.enqueue_request::jsonb AS enqueue_request, i.retry_policy::jsonb AS retry_policy,
        i.headers::jsonb AS headers,
        CASE WHEN d.flow IS NOT NULL OR i.flow IS NOT NULL THEN
            {schema}.resolve_flow(i.job_type, d.flow, i.flow::jsonb, i.organization_id)
        END AS flow
    FROM input i JOIN definition d ON d.job_type = i.job_type
    ORDER BY i.nth
), job AS (
    {fragment/insert_job}
    ON CONFLICT (job_type, organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING id, job_type, next_run_at
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type)
    FROM (SELECT DISTINCT job_type FROM job WHERE next_run_at <= now()) t
    WHERE {signals}
)
SELECT job.id FROM job CROSS JOIN (SELECT count(*) FROM signal) notified
