-- Inserts jobs; answers with the ids that were inserted. Not inserted is what has an idempotency key in use, and what has no
-- enabled definition: enqueue_existing tells the two apart. It may find neither when the holder of the key was deleted meanwhile: then
-- this is tried again.
-- Each definition is locked once, so that a disable in progress is waited for and then seen. KEY SHARE, because enqueues must not
-- wait for each other nor for anything but a disable, which takes the row FOR UPDATE. In type order, so that the two cannot deadlock.
-- Those who wait for work are told once per type, and only of what is due now. A CTE runs because it is joined.
WITH input AS (
    SELECT * FROM unnest(
        ?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::int[], ?::int[], ?::int[], ?::timestamptz[], ?::bigint[], ?::text[], ?::text[],
        ?::text[], ?::text[]
    ) AS i (
        id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, run_at, delay_us, idempotency_key, stage,
        enqueue_request, retry_policy
    )
), definition AS MATERIALIZED (
    SELECT job_type, default_priority, max_attempts, default_timeout_seconds
    FROM {schema}.job_definitions
    WHERE job_type = ANY (SELECT job_type FROM input) AND is_enabled
    ORDER BY job_type
    FOR KEY SHARE
), job AS (
    INSERT INTO {schema}.job_queue (
        id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, next_run_at, idempotency_key, stage,
        initial_stage, enqueue_request, retry_policy
    )
    SELECT
        i.id, i.job_type, i.organization_id, i.payload::jsonb, coalesce(i.priority, d.default_priority),
        coalesce(i.max_attempts, d.max_attempts), coalesce(i.timeout_seconds, d.default_timeout_seconds),
        coalesce(i.run_at, now() + i.delay_us * interval '1 microsecond', now()), i.idempotency_key, i.stage,
        nullif(i.stage, 'queued'), i.enqueue_request::jsonb, i.retry_policy::jsonb
    FROM input i JOIN definition d ON d.job_type = i.job_type
    ON CONFLICT (job_type, organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING id, job_type, next_run_at
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type)
    FROM (SELECT DISTINCT job_type FROM job WHERE next_run_at <= now()) t
    WHERE {signals}
)
SELECT job.id FROM job CROSS JOIN (SELECT count(*) FROM signal) told
