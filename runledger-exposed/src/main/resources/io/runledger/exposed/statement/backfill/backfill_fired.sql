-- Which of the instants :instants the schedule or an earlier backfill has fired. LATERAL and LIMIT keep the planner to one lookup in the
-- primary key per instant: the history between two instants may be of any length.
SELECT i.scheduled_for
FROM unnest(:instants::timestamptz[]) AS i (scheduled_for)
CROSS JOIN LATERAL (
    SELECT true
    FROM {schema}.job_schedule_fires f
    WHERE f.schedule_id = :schedule_id AND f.scheduled_for = i.scheduled_for AND f.cause IN ('CLOCK', 'BACKFILL') AND f.outcome = 'FIRED'
    LIMIT 1
) fired
