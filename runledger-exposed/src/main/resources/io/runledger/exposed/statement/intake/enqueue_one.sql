-- Inserts one job as enqueue does, without arrays and joins. Returns its id, or no row if its idempotency key is in use or its type has no
-- enabled definition. The definition is locked KEY SHARE, so that the insert waits for a concurrent disable and sees its result.
WITH definition AS MATERIALIZED (
    SELECT {fragment/definition_defaults}
    FROM {schema}.job_definitions
    WHERE job_type = :job_type AND is_enabled
    FOR KEY SHARE
), new_job AS (
    SELECT {fragment/one_new_job}
    FROM definition
)
{fragment/insert_job}
ON CONFLICT (job_type, organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
RETURNING id, CASE WHEN {signals} AND next_run_at <= now() THEN pg_notify({channel}, 'n:' || id || ':' || job_type)::text END AS notified
