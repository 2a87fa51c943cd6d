-- The columns of the relation new_job for one job, from its parameters and from definition, the definition of its type.
:id::uuid AS id, definition.job_type, :organization_id::uuid AS organization_id, :payload::jsonb AS payload,
coalesce(:priority::int, definition.default_priority) AS priority, coalesce(:max_attempts::int, definition.max_attempts) AS max_attempts,
coalesce(:timeout_seconds::int, definition.default_timeout_seconds) AS timeout_seconds,
coalesce(:run_at::timestamptz, now() + :delay_us::bigint * interval '1 microsecond', now()) AS next_run_at,
:stage::text AS stage, :idempotency_key::text AS idempotency_key, :enqueue_request::jsonb AS enqueue_request,
:retry_policy::jsonb AS retry_policy, :headers::jsonb AS headers,
CASE WHEN definition.flow IS NOT NULL OR :flow::jsonb IS NOT NULL THEN
    {schema}.resolve_flow(definition.job_type, definition.flow, :flow::jsonb, :organization_id::uuid)
END AS flow
