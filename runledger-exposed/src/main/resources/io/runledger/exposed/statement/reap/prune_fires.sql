-- Deletes old history rows of triggers if :of_triggers, else of other schedules, the oldest of each schedule first. Rows that another
-- session holds are skipped. The statement walks the primary key, schedule by schedule: a row is written after its instant, so a row whose
-- instant is too young is not old enough.
WITH age AS MATERIALIZED (
    SELECT now() - :age_us::bigint * interval '1 microsecond' AS cutoff
), target AS MATERIALIZED (
    SELECT o.*
    FROM {schema}.job_schedules s
    CROSS JOIN LATERAL (
        SELECT f.schedule_id, f.scheduled_for, f.cause, f.dedup_key
        FROM {schema}.job_schedule_fires f
        WHERE f.schedule_id = s.id AND f.scheduled_for <= (SELECT cutoff FROM age) AND f.fired_at <= (SELECT cutoff FROM age)
        ORDER BY f.scheduled_for
        LIMIT :limit
        FOR UPDATE OF f SKIP LOCKED
    ) o
    WHERE (s.kind = 'POLL') = :of_triggers::bool
    LIMIT :limit
)
DELETE FROM {schema}.job_schedule_fires f
USING target d
WHERE f.schedule_id = d.schedule_id AND f.scheduled_for = d.scheduled_for AND f.cause = d.cause AND f.dedup_key = d.dedup_key
