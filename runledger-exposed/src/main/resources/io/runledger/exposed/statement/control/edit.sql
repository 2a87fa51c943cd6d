-- Replaces the payload of a job that is not running. Returns a row if the job can be edited, whether or not the payload changes.
WITH given AS (
    SELECT :payload::text::jsonb AS payload, :reason::text AS reason
), held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt, q.payload
    FROM {schema}.job_queue q
    WHERE q.id = :job_id AND {scope q} AND q.status IN ('PENDING', 'DEAD_LETTERED', 'CANCELED')
        AND NOT q.is_step
    FOR NO KEY UPDATE OF q
), changed AS (
    SELECT h.*, g.payload AS new_payload, g.reason FROM held h CROSS JOIN given g WHERE h.payload <> g.payload
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, clock_timestamp(), run_number, nullif(attempt, 0), 'EDITED',
        jsonb_build_object('reason', reason, 'changed', jsonb_build_array('payload'), 'previous_payload', payload)
            || {fragment/by_operator}
    FROM changed
), edited AS (
    UPDATE {schema}.job_queue q SET payload = c.new_payload, updated_at = now() FROM changed c WHERE q.id = c.id
)
SELECT h.id, c.id IS NOT NULL AS is_changed FROM held h LEFT JOIN changed c ON c.id = h.id
