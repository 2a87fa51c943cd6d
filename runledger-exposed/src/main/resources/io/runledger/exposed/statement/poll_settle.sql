-- Ends a poll whose trigger is locked: notes what it led to and moves the trigger on. Answers with what was noted. A poll that led to the
-- same as the one before, and to nothing, only counts: a trigger that is polled every second would fill its history.
-- Parameters: lines (key, outcome, job, run, code, reason), trigger, instant, clock, next poll.
WITH line AS (
    SELECT * FROM unnest(?::text[], ?::text[], ?::uuid[], ?::uuid[], ?::text[], ?::text[])
        AS l (dedup_key, outcome, job_id, run_id, error_code, reason)
), poll AS (
    SELECT ?::uuid AS schedule_id, ?::timestamptz AS scheduled_for, ?::timestamptz AS now, ?::timestamptz AS next_fire_at
), before AS (
    SELECT f.schedule_id, f.scheduled_for, f.cause, f.dedup_key
    FROM poll p JOIN {schema}.job_schedule_fires f ON f.schedule_id = p.schedule_id
    ORDER BY f.scheduled_for DESC, f.fired_at DESC
    LIMIT 1
), again AS (
    UPDATE {schema}.job_schedule_fires f
    SET times = f.times + 1, fired_at = p.now, reason = l.reason
    FROM before b CROSS JOIN poll p CROSS JOIN line l
    WHERE f.schedule_id = b.schedule_id AND f.scheduled_for = b.scheduled_for AND f.cause = b.cause AND f.dedup_key = b.dedup_key
        AND f.cause = 'CLOCK' AND f.outcome = l.outcome AND l.outcome <> 'FIRED' AND f.error_code IS NOT DISTINCT FROM l.error_code
    RETURNING f.*
), noted AS (
    INSERT INTO {schema}.job_schedule_fires (
        schedule_id, job_id, run_id, scheduled_for, fired_at, outcome, dedup_key, error_code, reason
    )
    SELECT p.schedule_id, l.job_id, l.run_id, p.scheduled_for, p.now, l.outcome, l.dedup_key, l.error_code, l.reason
    FROM line l CROSS JOIN poll p
    WHERE NOT EXISTS (SELECT FROM again)
    ON CONFLICT (schedule_id, scheduled_for, cause, dedup_key) DO NOTHING
    RETURNING *
), moved AS (
    UPDATE {schema}.job_schedules s
    SET poll_id = NULL, poll_until = NULL, next_fire_at = p.next_fire_at,
        last_fired_at = CASE WHEN EXISTS (SELECT FROM line WHERE outcome = 'FIRED') THEN p.now ELSE s.last_fired_at END
    FROM poll p
    WHERE s.id = p.schedule_id
)
SELECT * FROM again UNION ALL SELECT * FROM noted
