-- Replaces the payload of a job that nobody runs. A row is the answer when the job could be edited, whether or not anything changed.
-- Parameters: payload, reason, job id, scope.
WITH given AS (
    SELECT ?::text::jsonb AS payload, ?::text AS reason
), held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt, q.payload
    FROM {schema}.job_queue q
    WHERE q.id = ? AND {scope q} AND q.status IN ('PENDING', 'DEAD_LETTERED', 'CANCELED')
        AND NOT q.is_step
    FOR NO KEY UPDATE OF q
), changed AS (
    SELECT h.*, g.payload AS new_payload, g.reason FROM held h CROSS JOIN given g WHERE h.payload <> g.payload
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, clock_timestamp(), run_number, nullif(attempt, 0), 'EDITED',
        jsonb_build_object('reason', reason, 'changed', jsonb_build_array('payload'), 'previous_payload', payload)
    FROM changed
), edited AS (
    UPDATE {schema}.job_queue q SET payload = c.new_payload, updated_at = now() FROM changed c WHERE q.id = c.id
)
SELECT id FROM held
