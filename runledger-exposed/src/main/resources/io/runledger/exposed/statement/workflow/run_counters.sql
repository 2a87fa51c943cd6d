-- Adds the given changes to the step counters of runs and derives the status of each run. If a run ends, the statement stores its result,
-- releases its active key unless a canceled handler may still be running, clears its pause, and sends a notification.
-- ARRAY keeps the planner on the indexes, whatever number of runs it estimates.
-- A reason cancels its run; it is null for a run that is not canceled.
WITH change AS (
    SELECT * FROM unnest(:run_ids::uuid[], :open_steps::int[], :active_steps::int[], :waiting_steps::int[], :error_steps::int[],
            :reasons::text[])
        AS c (id, open_steps, active_steps, waiting_steps, error_steps, reason)
), counted AS MATERIALIZED (
    SELECT
        n.*,
        CASE
            WHEN n.reason IS NOT NULL OR n.before = 'CANCELED' THEN 'CANCELED'
            WHEN n.active_steps > 0 THEN 'RUNNING'
            WHEN n.waiting_steps > 0 THEN 'WAITING_FOR_EXTERNAL'
            WHEN n.open_steps > 0 THEN 'RUNNING'
            WHEN n.error_steps > 0 THEN 'COMPLETED_WITH_ERRORS'
            ELSE 'SUCCEEDED'
        END::{schema}.workflow_run_status AS status
    FROM (
        SELECT
            r.id, c.reason, r.status AS before, r.open_steps + c.open_steps AS open_steps, r.active_steps + c.active_steps AS active_steps,
            r.waiting_steps + c.waiting_steps AS waiting_steps, r.error_steps + c.error_steps AS error_steps
        FROM change c JOIN {schema}.workflow_runs r ON r.id = c.id
        WHERE r.id = ANY (ARRAY(SELECT id FROM change))
    ) n
), ended AS MATERIALIZED (
    SELECT id FROM counted
    WHERE open_steps = 0 AND before IN ('RUNNING', 'WAITING_FOR_EXTERNAL')
), claim AS MATERIALIZED (
    SELECT
        a.workflow_run_id,
        EXISTS (
            SELECT FROM {schema}.workflow_steps s JOIN {schema}.job_queue q ON q.id = s.job_id
            WHERE s.workflow_run_id = a.workflow_run_id AND q.status = 'CANCELED' AND q.lease_expires_at > clock_timestamp()
        ) AS is_busy
    FROM {schema}.workflow_active_claims a WHERE a.workflow_run_id = ANY (ARRAY(SELECT id FROM ended))
), freed AS (
    DELETE FROM {schema}.workflow_active_claims WHERE workflow_run_id = ANY (ARRAY(SELECT workflow_run_id FROM claim WHERE NOT is_busy))
), deferred AS (
    UPDATE {schema}.workflow_active_claims SET release_pending = true
    WHERE workflow_run_id = ANY (ARRAY(SELECT workflow_run_id FROM claim WHERE is_busy))
), notified AS (
    SELECT pg_notify({channel}, 'r:' || e.id) FROM ended e WHERE {signals}
), run AS (
    UPDATE {schema}.workflow_runs r
    SET open_steps = c.open_steps, active_steps = c.active_steps, waiting_steps = c.waiting_steps, error_steps = c.error_steps,
        status = c.status, status_reason = coalesce(c.reason, r.status_reason),
        finished_at = CASE WHEN c.status IN ('RUNNING', 'WAITING_FOR_EXTERNAL') THEN NULL
            ELSE coalesce(r.finished_at, clock_timestamp()) END,
        paused_at = CASE WHEN c.status IN ('RUNNING', 'WAITING_FOR_EXTERNAL') THEN r.paused_at END,
        pause_reason = CASE WHEN c.status IN ('RUNNING', 'WAITING_FOR_EXTERNAL') THEN r.pause_reason END,
        result = CASE WHEN c.status = 'SUCCEEDED' THEN (
            SELECT s.output FROM {schema}.workflow_steps s WHERE s.workflow_run_id = r.id AND s.step_key = r.result_step_key
        ) END,
        updated_at = now()
    FROM counted c WHERE r.id = c.id
    RETURNING r.id, r.status
)
SELECT run.id, run.status, (SELECT count(*) FROM notified) AS notified FROM run
