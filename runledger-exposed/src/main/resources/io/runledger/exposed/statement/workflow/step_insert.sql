-- Inserts steps, and the jobs of the steps that begin at once. Returns one row with the job types that are not defined or are disabled; if
-- there are any, nothing is inserted. If the run is paused, its jobs are inserted as paused and no notification is sent for them.
-- Every job step is given the id of its job. The job itself is inserted if the status is ENQUEUED, which its step then does not repeat.
-- Definitions are locked as in an enqueue: each once, in type order, with a lock that conflicts only with a disable.
WITH input AS (
    SELECT * FROM unnest(
        :ids::uuid[], :run_ids::uuid[], :organization_ids::uuid[], :job_ids::uuid[], :ordinals::int[], :kinds::text[],
        :statuses::text[], :dependencies::int[], :pending::int[], :unsatisfied::int[], :priorities::int[], :max_attempts::int[],
        :timeout_seconds::int[], :delay_seconds::int[], :expires_after_seconds::int[], :may_continue::bool[], :step_keys::text[],
        :job_types::text[], :stages::text[], :expiry_outcomes::text[], :payloads::text[], :retry_policies::text[],
        :conditions::text[], :headers::text[], :job_headers::text[], :flows::text[]
    ) AS i (
        id, workflow_run_id, organization_id, job_id, ordinal, execution_kind, status, total, pending, unsatisfied, priority, max_attempts,
        timeout_seconds, delay_seconds, expires_after_seconds, allow_handler_continuation, step_key, job_type, stage, expiry_outcome,
        payload, retry_policy, condition, headers, job_headers, flow
    )
), definition AS MATERIALIZED (
    SELECT {fragment/definition_defaults}
    FROM {schema}.job_definitions
    WHERE job_type = ANY (SELECT job_type FROM input) AND is_enabled
    ORDER BY job_type
    FOR KEY SHARE
), missing AS MATERIALIZED (
    SELECT DISTINCT i.job_type FROM input i LEFT JOIN definition d ON d.job_type = i.job_type
    WHERE i.job_type IS NOT NULL AND d.job_type IS NULL
), stamp AS MATERIALIZED (
    SELECT clock_timestamp() AS at
), resolved AS MATERIALIZED (
    SELECT
        i.id, i.workflow_run_id, i.organization_id, i.job_id, i.ordinal, i.execution_kind, i.status, i.total, i.pending,
        coalesce(i.unsatisfied, 0) AS unsatisfied,
        coalesce(i.priority, d.default_priority) AS priority, coalesce(i.max_attempts, d.max_attempts) AS max_attempts,
        coalesce(i.timeout_seconds, d.default_timeout_seconds) AS timeout_seconds, i.delay_seconds, i.expires_after_seconds,
        coalesce(i.allow_handler_continuation, false) AS allow_handler_continuation, i.step_key, i.job_type, i.stage, i.expiry_outcome, i.payload::jsonb AS payload,
        i.retry_policy::jsonb AS retry_policy, i.condition::jsonb AS condition,
        i.headers::jsonb AS headers, i.job_headers::jsonb AS job_headers, stamp.at,
        CASE WHEN d.flow IS NOT NULL OR i.flow IS NOT NULL THEN
            {schema}.resolve_flow(i.job_type, d.flow, i.flow::jsonb, i.organization_id)
        END AS flow,
        CASE WHEN i.status = 'WAITING_FOR_EXTERNAL' THEN stamp.at END AS released_at
    FROM input i LEFT JOIN definition d ON d.job_type = i.job_type CROSS JOIN stamp
    WHERE NOT EXISTS (SELECT FROM missing)
), new_job AS (
    SELECT
        job_id AS id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, at AS created_at, at AS updated_at,
        at + coalesce(delay_seconds, 0) * interval '1 second' AS next_run_at, true AS is_step, :is_paused::bool AS is_paused, stage,
        retry_policy, job_headers AS headers, flow
    FROM resolved WHERE status = 'ENQUEUED'
), job AS (
    {fragment/insert_job}
    RETURNING job_type, next_run_at, is_paused
), step AS (
    INSERT INTO {schema}.workflow_step_rows (
        id, workflow_run_id, organization_id, job_id, released_at, expires_at, finished_at, created_at, ordinal, execution_kind, status,
        dependency_count_total, dependency_count_pending, dependency_count_unsatisfied, priority, max_attempts, timeout_seconds,
        delay_seconds, expires_after_seconds, allow_handler_continuation, step_key, job_type, stage, expiry_outcome, payload,
        retry_policy, condition, headers, flow, status_reason
    )
    SELECT
        id, workflow_run_id, organization_id, job_id, released_at, released_at + expires_after_seconds * interval '1 second',
        CASE WHEN status = 'SKIPPED' THEN at END, at, ordinal, execution_kind::{schema}.workflow_step_execution_kind,
        replace(status, 'ENQUEUED', 'BLOCKED')::{schema}.workflow_step_status, total, pending, unsatisfied, priority, max_attempts,
        timeout_seconds, delay_seconds,
        expires_after_seconds, allow_handler_continuation, step_key, job_type, stage, expiry_outcome, payload, retry_policy,
        condition, headers, flow,
        CASE WHEN status = 'SKIPPED' THEN CASE WHEN unsatisfied > 0 THEN 'PREREQUISITE_SKIPPED' ELSE 'CONDITION_FALSE' END END
    FROM resolved
), notified AS (
    SELECT pg_notify({channel}, t.message)
    FROM (
        SELECT 'j:' || job_type AS message FROM job WHERE next_run_at <= clock_timestamp() AND NOT is_paused
        UNION
        SELECT 'g:' || workflow_run_id FROM resolved WHERE status = 'WAITING_FOR_EXTERNAL'
    ) t
    WHERE {signals}
)
SELECT (SELECT array_agg(job_type) FROM missing) AS missing, (SELECT count(*) FROM notified) AS notified
