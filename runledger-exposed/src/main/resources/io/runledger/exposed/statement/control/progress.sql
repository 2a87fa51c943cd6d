-- Writes the progress reports of running attempts. Returns one row per report whose lease is held: whether its counts are consistent with
-- the stored ones. An inconsistent report is not written.
-- Rows are locked in id order and read under the lock. The expiry is compared with the real clock after the wait for the lock.
-- The first report of the stage running sets the start of the attempt and has no event of its own; every other stage has one.
WITH input AS (
    SELECT * FROM unnest(:job_ids::uuid[], :lease_ids::uuid[], :stages::text[], :done::bigint[], :total::bigint[], :checkpoints::text[])
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
    ) AS e (place, event_type, stage, done, total, is_recorded)
    WHERE s.lease_expires_at > s.at AND s.is_valid AND e.is_recorded
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
