-- CTEs that lease the jobs whose rows are in picked (place), and read their steps. The result is leased, one row per job.
-- The lease starts with the statement, not with its transaction. Otherwise, if another session has resumed, requeued or released the job
-- in between, the lease would start before that change.
-- A damaged row must not fail the claim of the other rows: hence the upper limit of the attempt count and the LEFT JOIN of the definition.
-- Rows are found by ctid, without a second index lookup; a row that has moved since the statement began is left for the next claim. ARRAY,
-- because the planner overestimates picked and would otherwise read the whole table to join it. FULL JOIN, although every step has its
-- job: it rules out a nested loop over jobs and steps, which the planner would choose because it underestimates both.
claimed AS (
    UPDATE {schema}.job_queue q
    SET status = 'LEASED', attempt = least(q.attempt, 2147483646) + 1, lease_id = gen_random_uuid(), worker_id = :worker,
        leased_at = statement_timestamp(), lease_seconds = :lease_seconds,
        lease_expires_at = statement_timestamp() + :lease_seconds * interval '1 second',
        last_heartbeat_at = statement_timestamp(), started_at = coalesce(q.started_at, statement_timestamp()), claim_origin = :origin::text,
        execution_started_persisted_at = NULL, updated_at = statement_timestamp()
    WHERE q.ctid = ANY (ARRAY(SELECT place FROM picked))
    RETURNING q.id, q.job_type, q.organization_id, q.run_number, q.attempt, q.interruptions, q.max_attempts, q.timeout_seconds,
        q.priority, q.payload, q.checkpoint, q.lease_id, q.leased_at, q.lease_expires_at, q.started_at, q.next_run_at, q.retry_policy,
        q.is_step, q.headers
), step AS MATERIALIZED (
    SELECT s.job_id, s.workflow_run_id, s.id, s.step_key FROM {schema}.workflow_step_rows s
    WHERE s.job_id = ANY (ARRAY(SELECT id FROM claimed WHERE is_step))
), leased AS (
    SELECT
        c.id, c.job_type, c.organization_id, c.run_number, c.attempt, c.interruptions, c.max_attempts, c.timeout_seconds, c.priority,
        c.payload, c.checkpoint, c.lease_id, c.leased_at, c.lease_expires_at, nullif(c.started_at, c.leased_at) AS earlier_start,
        CASE WHEN isfinite(c.next_run_at) THEN date_part('epoch', c.leased_at - c.next_run_at) END AS waited,
        coalesce(c.retry_policy, d.retry_policy) AS retry_policy, s.workflow_run_id, s.id AS step_id, s.step_key, c.headers
    FROM claimed c
    LEFT JOIN {schema}.job_definitions d ON d.job_type = c.job_type
    FULL JOIN step s ON s.job_id = c.id
)
