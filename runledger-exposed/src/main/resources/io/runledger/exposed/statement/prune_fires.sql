-- Deletes old lines of schedules' histories, the oldest of each schedule first; rows that another session holds are skipped.
-- Parameters: age in microseconds, limit, whether those of triggers or of schedules, limit. Walks the primary key, schedule by
-- schedule: a line is written after its instant, so none is old whose instant is not.
WITH age AS MATERIALIZED (
    SELECT now() - ?::bigint * interval '1 microsecond' AS cutoff
), doomed AS MATERIALIZED (
    SELECT o.*
    FROM {schema}.job_schedules s
    CROSS JOIN LATERAL (
        SELECT f.schedule_id, f.scheduled_for, f.cause, f.dedup_key
        FROM {schema}.job_schedule_fires f
        WHERE f.schedule_id = s.id AND f.scheduled_for <= (SELECT cutoff FROM age) AND f.fired_at <= (SELECT cutoff FROM age)
        ORDER BY f.scheduled_for
        LIMIT ?
        FOR UPDATE OF f SKIP LOCKED
    ) o
    WHERE (s.kind = 'POLL') = ?::bool
    LIMIT ?
)
DELETE FROM {schema}.job_schedule_fires f
USING doomed d
WHERE f.schedule_id = d.schedule_id AND f.scheduled_for = d.scheduled_for AND f.cause = d.cause AND f.dedup_key = d.dedup_key
