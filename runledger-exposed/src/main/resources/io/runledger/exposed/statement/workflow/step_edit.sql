-- Replaces the payload of a step that no worker is running, and of its job if it has one. If the step has a job, the job's payload is the
-- current one, because a handler that continued may have changed it. Returns a row if the step can be edited, even if the payload does
-- not change. The caller holds the lock on the run; the statement locks the job before the step.
WITH given AS (
    SELECT :payload::text::jsonb AS payload, :reason::text AS reason
), target AS MATERIALIZED (
    SELECT s.id, s.workflow_run_id, s.job_id, s.status, s.payload FROM {schema}.workflow_steps s
    WHERE s.workflow_run_id = :run_id AND s.step_key = :step_key AND s.status IN ('BLOCKED', 'WAITING_FOR_EXTERNAL', 'ENQUEUED')
), waiting AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt, q.payload FROM {schema}.job_queue q
    WHERE q.id = (SELECT job_id FROM target) AND q.status = 'PENDING'
    FOR NO KEY UPDATE OF q
), held AS MATERIALIZED (
    SELECT t.id, t.workflow_run_id, t.job_id, coalesce(w.payload, t.payload) AS payload
    FROM target t LEFT JOIN waiting w ON w.id = t.job_id
    WHERE t.status <> 'ENQUEUED' OR w.id IS NOT NULL
), changed AS MATERIALIZED (
    SELECT h.*, g.payload AS new_payload, g.reason FROM held h CROSS JOIN given g WHERE h.payload <> g.payload
), step AS (
    UPDATE {schema}.workflow_step_rows s SET payload = c.new_payload, updated_at = now() FROM changed c WHERE s.id = c.id
), job AS (
    UPDATE {schema}.job_queue q SET payload = c.new_payload, updated_at = now() FROM changed c, waiting w
    WHERE w.id = c.job_id AND q.id = w.id
), journal AS (
    INSERT INTO {schema}.workflow_step_journal (workflow_run_id, step_id, occurred_at, event_type, payload)
    SELECT
        workflow_run_id, id, clock_timestamp(), 'EDITED',
        jsonb_build_object('reason', reason, 'previous_payload', payload) || {fragment/by_operator}
    FROM changed
), job_journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        w.id, clock_timestamp(), w.run_number, nullif(w.attempt, 0), 'EDITED',
        jsonb_build_object('reason', c.reason, 'changed', jsonb_build_array('payload'), 'previous_payload', c.payload)
            || {fragment/by_operator}
    FROM changed c JOIN waiting w ON w.id = c.job_id
)
SELECT h.id, c.id IS NOT NULL AS is_changed FROM held h LEFT JOIN changed c ON c.id = h.id
