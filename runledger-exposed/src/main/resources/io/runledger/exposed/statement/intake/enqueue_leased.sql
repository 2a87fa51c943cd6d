-- Inserts one due job as enqueue_one does, and leases it to :worker by the same insert. If its type is paused, it is not leased.
-- Returns what a claim returns, or no row if enqueue_one would return none or if the type
-- has a flow: its jobs are claimed under the locks of their limits. Sends no notification: the job needs no other worker.
WITH definition AS MATERIALIZED (
    SELECT {fragment/definition_defaults}, is_paused, retry_policy
    FROM {schema}.job_definitions
    WHERE job_type = :job_type AND is_enabled AND flow IS NULL
    FOR KEY SHARE
), new_job AS (
    SELECT {fragment/one_new_job},
        CASE WHEN NOT definition.is_paused THEN :lease_id::uuid END AS lease_id,
        CASE WHEN NOT definition.is_paused THEN :worker::text END AS worker_id,
        CASE WHEN NOT definition.is_paused THEN :lease_seconds::int END AS lease_seconds
    FROM definition
)
{fragment/insert_job}
ON CONFLICT (job_type, organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
RETURNING id, job_type, organization_id, run_number, attempt, interruptions, max_attempts, timeout_seconds, priority, payload, checkpoint,
    lease_id, leased_at, lease_expires_at, NULL::timestamptz AS earlier_start, 0::float8 AS waited,
    coalesce(retry_policy, (SELECT d.retry_policy FROM definition d)) AS retry_policy, NULL::text AS step_key, headers
