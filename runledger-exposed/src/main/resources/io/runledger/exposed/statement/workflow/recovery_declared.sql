-- Reads the steps that the run's request and its appends declare: key, kind and the requested settings. The caller compares them with the
-- steps that the run has.
SELECT declared.step->>'step_key' AS step_key, declared.step->>'execution_kind' AS execution_kind, declared.step->>'job_type' AS job_type,
    (declared.step->>'priority')::int AS priority, (declared.step->>'max_attempts')::int AS max_attempts,
    (declared.step->>'timeout_seconds')::int AS timeout_seconds,
    coalesce((declared.step->>'allow_handler_continuation')::bool, false) AS allow_handler_continuation,
    declared.step->'condition' AS condition, declared.step->'flow' AS flow
FROM (
    SELECT jsonb_array_elements(r.enqueue_request->'steps') AS step FROM {schema}.workflow_runs r WHERE r.id = :run_id
    UNION ALL
    SELECT jsonb_array_elements(m.request->'steps') FROM {schema}.workflow_run_mutations m
    WHERE m.workflow_run_id = :run_id AND m.mutation_kind = 'APPEND_STEPS'
) declared
