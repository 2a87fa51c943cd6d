-- Writes what running attempts report. Answers with one row per report whose lease is held: whether its counts made sense together
-- with the stored ones. What did not make sense is not written.
-- Rows are locked in id order and read as they are once locked; the expiry is judged by the real clock after the wait for the lock.
-- The first mark of stage running is the attempt's start and tells itself; the journal takes every other stage.
WITH input AS (
    SELECT * FROM unnest(?::uuid[], ?::uuid[], ?::text[], ?::bigint[], ?::bigint[], ?::text[])
        AS i (id, lease_id, stage, done, total, checkpoint)
), held AS MATERIALIZED (
    SELECT
        q.id, q.lease_id, q.run_number, q.attempt, q.lease_expires_at, q.execution_started_persisted_at AS started,
        coalesce(i.done, q.progress_done) AS merged_done, coalesce(i.total, q.progress_total) AS merged_total,
        i.stage, i.done, i.total, i.checkpoint
    FROM {schema}.job_queue q JOIN input i ON i.id = q.id
    WHERE q.lease_id = i.lease_id
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), stamped AS MATERIALIZED (
    SELECT held.*, clock_timestamp() AS at, coalesce(merged_done <= merged_total, true) AS is_valid FROM held
), journal AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, stage, progress_done, progress_total)
    SELECT s.id, s.at, s.run_number, s.attempt, e.event_type::{schema}.job_event_type, e.stage, e.done, e.total
    FROM stamped s
    CROSS JOIN LATERAL (
        VALUES
            (1, 'STAGE_CHANGED', s.stage, NULL, NULL, s.stage IS NOT NULL AND (s.stage <> 'running' OR s.started IS NOT NULL)),
            (2, 'PROGRESS', NULL, s.done, s.total, s.done IS NOT NULL OR s.total IS NOT NULL)
    ) AS e (place, event_type, stage, done, total, is_told)
    WHERE s.lease_expires_at > s.at AND s.is_valid AND e.is_told
    ORDER BY s.id, e.place
), written AS (
    UPDATE {schema}.job_queue q
    SET stage = coalesce(s.stage, q.stage), progress_done = s.merged_done, progress_total = s.merged_total,
        checkpoint = coalesce(s.checkpoint::jsonb, q.checkpoint),
        execution_started_persisted_at = CASE WHEN s.stage = 'running' THEN coalesce(s.started, s.at) ELSE s.started END,
        updated_at = now()
    FROM stamped s
    WHERE q.id = s.id AND s.lease_expires_at > s.at AND s.is_valid
)
SELECT lease_id, is_valid FROM stamped WHERE lease_expires_at > at
