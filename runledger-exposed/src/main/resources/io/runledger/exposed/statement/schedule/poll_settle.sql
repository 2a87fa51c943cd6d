-- Ends a poll whose trigger is locked: records the results, moves the trigger on and returns the recorded rows. :dedup_keys to :reasons
-- describe the results.
-- If a poll has started nothing and has the same result as the poll before, only a counter is increased: a trigger that is polled every
-- second would otherwise fill its history. If the trigger was moved during the poll, by a requested poll or a new time, it is not moved
-- again.
-- If a trigger was moved back, the same instant is polled again: the row then shows the last poll, but a row that has started something is
-- never overwritten.
WITH line AS (
    SELECT * FROM unnest(:dedup_keys::text[], :outcomes::text[], :job_ids::uuid[], :run_ids::uuid[], :error_codes::text[], :reasons::text[])
        AS l (dedup_key, outcome, job_id, run_id, error_code, reason)
), poll AS (
    SELECT
        :schedule_id::uuid AS schedule_id, :scheduled_for::timestamptz AS scheduled_for, :now::timestamptz AS now,
        :next_fire_at::timestamptz AS next_fire_at
), before AS (
    SELECT f.*
    FROM poll p JOIN {schema}.job_schedule_fires f ON f.schedule_id = p.schedule_id
    WHERE f.scheduled_for = (
        SELECT o.scheduled_for FROM {schema}.job_schedule_fires o
        WHERE o.schedule_id = p.schedule_id ORDER BY o.scheduled_for DESC LIMIT 1
    )
), same AS (
    SELECT b.schedule_id, b.scheduled_for, b.cause, b.dedup_key, l.reason
    FROM line l JOIN before b ON b.dedup_key = l.dedup_key AND b.outcome = l.outcome AND b.error_code IS NOT DISTINCT FROM l.error_code
    WHERE b.cause = 'CLOCK' AND l.outcome <> 'FIRED'
), again AS (
    UPDATE {schema}.job_schedule_fires f
    SET times = f.times + 1, fired_at = p.now, reason = s.reason
    FROM same s CROSS JOIN poll p
    WHERE f.schedule_id = s.schedule_id AND f.scheduled_for = s.scheduled_for AND f.cause = s.cause AND f.dedup_key = s.dedup_key
        AND (SELECT count(*) FROM same) = (SELECT count(*) FROM line)
    RETURNING f.*
), noted AS (
    INSERT INTO {schema}.job_schedule_fires AS f (
        schedule_id, job_id, run_id, scheduled_for, fired_at, outcome, dedup_key, error_code, reason
    )
    SELECT p.schedule_id, l.job_id, l.run_id, p.scheduled_for, p.now, l.outcome, l.dedup_key, l.error_code, l.reason
    FROM line l CROSS JOIN poll p
    WHERE NOT EXISTS (SELECT FROM again)
    ON CONFLICT (schedule_id, scheduled_for, cause, dedup_key) DO UPDATE
    SET fired_at = excluded.fired_at, times = f.times + 1, outcome = excluded.outcome, job_id = excluded.job_id,
        run_id = excluded.run_id, error_code = excluded.error_code, reason = excluded.reason
    WHERE f.outcome <> 'FIRED'
    RETURNING f.*
), moved AS (
    UPDATE {schema}.job_schedules s
    SET poll_id = NULL, poll_until = NULL,
        next_fire_at = CASE WHEN s.next_fire_at = p.scheduled_for THEN p.next_fire_at ELSE s.next_fire_at END,
        last_fired_at = CASE WHEN EXISTS (SELECT FROM line WHERE outcome = 'FIRED') THEN p.now ELSE s.last_fired_at END
    FROM poll p
    WHERE s.id = p.schedule_id
)
SELECT * FROM again UNION ALL SELECT * FROM noted
