-- Replaces the payload of a step that nobody runs, and of its job if it has one. Where there is a job, its payload is the one that counts:
-- a handler that continued may have given it another than the step's. A row is the answer when the step could be edited, whether or not
-- anything changed. The run is locked; the job is locked here, before the step. Parameters: payload, reason, run, key.
WITH given AS (
    SELECT ?::text::jsonb AS payload, ?::text AS reason
), target AS MATERIALIZED (
    SELECT s.id, s.workflow_run_id, s.job_id, s.status, s.payload FROM {schema}.workflow_steps s
    WHERE s.workflow_run_id = ? AND s.step_key = ? AND s.status IN ('BLOCKED', 'WAITING_FOR_EXTERNAL', 'ENQUEUED')
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
    UPDATE {schema}.workflow_steps s SET payload = c.new_payload, updated_at = now() FROM changed c WHERE s.id = c.id
), job AS (
    UPDATE {schema}.job_queue q SET payload = c.new_payload, updated_at = now() FROM changed c, waiting w
    WHERE w.id = c.job_id AND q.id = w.id
), story AS (
    INSERT INTO {schema}.workflow_step_journal (workflow_run_id, step_id, occurred_at, event_type, payload)
    SELECT workflow_run_id, id, clock_timestamp(), 'EDITED', jsonb_build_object('reason', reason, 'previous_payload', payload) FROM changed
), job_story AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        w.id, clock_timestamp(), w.run_number, nullif(w.attempt, 0), 'EDITED',
        jsonb_build_object('reason', c.reason, 'changed', jsonb_build_array('payload'), 'previous_payload', c.payload)
    FROM changed c JOIN waiting w ON w.id = c.job_id
)
SELECT id FROM held
