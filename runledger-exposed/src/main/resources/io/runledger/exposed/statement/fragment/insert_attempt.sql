-- Records the rows of the relation ended_attempt in job_attempts. This is the only list of the columns of an attempt.
-- ended_attempt must have: the columns of attempt_columns, at (the time of the ending), outcome.
-- It may have: the columns of absent. As in insert_job, a column that ended_attempt does not have is found in absent, one level out.
INSERT INTO {schema}.job_attempts (
    job_id, leased_at, started_at, finished_at, execution_started_persisted_at, last_heartbeat_at, requested_retry_not_before,
    effective_next_run_at, run_number, attempt, lease_seconds, retry_delay_ms, outcome, worker_id, claim_origin, retry_timing_source,
    error_code, error_message, error_details
)
SELECT given.*
FROM (
    SELECT
        NULL::timestamptz AS last_heartbeat_at, NULL::timestamptz AS requested_retry_not_before,
        NULL::timestamptz AS effective_next_run_at, NULL::int AS retry_delay_ms, NULL::text AS retry_timing_source,
        NULL::text AS error_code, NULL::text AS error_message, NULL::jsonb AS error_details
) absent
CROSS JOIN LATERAL (
    SELECT
        id, leased_at, coalesce(execution_started_persisted_at, leased_at), at, execution_started_persisted_at, last_heartbeat_at,
        requested_retry_not_before, effective_next_run_at, run_number, attempt, lease_seconds, retry_delay_ms, outcome, worker_id,
        claim_origin, retry_timing_source, error_code, error_message, error_details
    FROM ended_attempt
) given
