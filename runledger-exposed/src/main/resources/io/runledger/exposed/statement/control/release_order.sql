-- Lets the jobs behind a dead letter in its order go on. Returns a row if the job is a dead letter, whether or not it held any.
WITH held AS MATERIALIZED (
    SELECT q.id, q.run_number, q.attempt, q.job_type, q.holds_order, :reason::text AS reason
    FROM {schema}.job_queue q
    WHERE q.id = :job_id AND {scope q} AND q.status = 'DEAD_LETTERED'
    FOR NO KEY UPDATE OF q
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT
        id, clock_timestamp(), run_number, nullif(attempt, 0), 'EDITED',
        jsonb_build_object('reason', reason, 'changed', jsonb_build_array('holds_order')) || {fragment/by_operator}
    FROM held WHERE holds_order
), released AS (
    UPDATE {schema}.job_queue q SET holds_order = false, updated_at = now() FROM held h WHERE q.id = h.id AND h.holds_order
    RETURNING CASE WHEN {signals} THEN pg_notify({channel}, 'f:')::text END AS freed
)
SELECT h.id, coalesce(h.holds_order, false) AS is_changed FROM held h
