-- Writes a pass: the outcome of each instant, the jobs that the instants create, and the new cursors of the schedules. Returns one row per
-- schedule and instant, or one row for a schedule without an instant.
-- :fire_schedule_ids to :fire_headers describe the instants, :schedule_ids to :error_reasons the schedules. A null in :next_fire_at means
-- that the schedule has ended; :error_codes and :error_reasons belong to schedules that cannot fire.
-- An instant that is already recorded does not create a second job, unless it was deferred. Neither does one that a backfill has fired, after
-- the schedule was moved back; OFFSET keeps the planner to one lookup per instant. A schedule that cannot fire, or that has no
-- enabled definition, is deferred: its instant waits, and its cursor is the time of the next try. The definition is locked as an enqueue
-- locks it.
WITH instant AS (
    SELECT * FROM unnest(
        :fire_schedule_ids::uuid[], :scheduled_for::timestamptz[], :scheduled_for_texts::text[], :outcomes::text[], :job_ids::uuid[],
        :run_ids::uuid[], :fire_reasons::text[], :fire_headers::text[]
    ) AS i (schedule_id, scheduled_for, scheduled_for_text, outcome, job_id, run_id, reason, headers)
), due AS MATERIALIZED (
    SELECT
        s.id, s.name, s.kind, s.job_type, s.organization_id, s.payload_template, s.flow, coalesce(s.deferred_from, s.next_fire_at) AS due_at,
        c.next_fire_at, c.error_code, c.reason
    FROM unnest(:schedule_ids::uuid[], :next_fire_at::timestamptz[], :error_codes::text[], :error_reasons::text[])
        AS c (schedule_id, next_fire_at, error_code, reason)
    JOIN {schema}.job_schedules s ON s.id = c.schedule_id
), definition AS MATERIALIZED (
    SELECT {fragment/definition_defaults}
    FROM {schema}.job_definitions
    WHERE job_type = ANY (SELECT job_type FROM due) AND is_enabled
    ORDER BY job_type
    FOR KEY SHARE
), known AS (
    SELECT due.*, due.kind <> 'JOB' OR d.job_type IS NOT NULL AS is_defined
    FROM due LEFT JOIN definition d ON d.job_type = due.job_type
), given AS (
    SELECT
        :undefined_code::text AS error_code, :undefined_reason::text AS reason, :deferred_until::timestamptz AS until,
        :now::timestamptz AS now
), cursor AS (
    SELECT
        k.id, k.due_at, k.is_defined, g.now, coalesce(k.error_code, CASE WHEN NOT k.is_defined THEN g.error_code END) AS error_code,
        CASE WHEN k.error_code IS NULL AND NOT k.is_defined THEN g.reason ELSE k.reason END AS reason,
        CASE WHEN k.is_defined THEN k.next_fire_at ELSE g.until END AS moves_to
    FROM known k CROSS JOIN given g
), fire AS (
    INSERT INTO {schema}.job_schedule_fires AS f (
        schedule_id, scheduled_for, fired_at, outcome, job_id, run_id, error_code, reason
    )
    SELECT i.schedule_id, i.scheduled_for, c.now, i.outcome, i.job_id, i.run_id, NULL, i.reason
    FROM instant i JOIN cursor c ON c.id = i.schedule_id AND c.error_code IS NULL
    WHERE NOT EXISTS (
        SELECT FROM {schema}.job_schedule_fires b
        WHERE b.schedule_id = i.schedule_id AND b.scheduled_for = i.scheduled_for AND b.cause = 'BACKFILL' AND b.outcome = 'FIRED'
        OFFSET 0
    )
    UNION ALL
    SELECT c.id, c.due_at, c.now, 'DEFERRED', NULL, NULL, c.error_code, c.reason
    FROM cursor c WHERE c.error_code IS NOT NULL AND isfinite(c.due_at)
    UNION ALL
    SELECT c.id, c.now, c.now, 'PAUSED', NULL, NULL, NULL, 'No further instant is due.' FROM cursor c WHERE c.moves_to IS NULL
    ON CONFLICT (schedule_id, scheduled_for, cause, dedup_key) DO UPDATE
    SET fired_at = excluded.fired_at, times = f.times + 1, outcome = excluded.outcome, job_id = excluded.job_id,
        run_id = excluded.run_id, error_code = coalesce(excluded.error_code, f.error_code),
        reason = coalesce(excluded.reason, f.reason)
    WHERE f.outcome = 'DEFERRED'
    RETURNING f.*
), new_job AS (
    SELECT f.job_id AS id, {fragment/scheduled_job}
    FROM fire f
    JOIN instant i ON i.schedule_id = f.schedule_id AND i.scheduled_for = f.scheduled_for
    JOIN due s ON s.id = f.schedule_id
    JOIN definition d ON d.job_type = s.job_type
    WHERE f.job_id IS NOT NULL
), job AS (
    {fragment/insert_job}
    RETURNING job_type
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type) FROM (SELECT DISTINCT job_type FROM job) t WHERE {signals}
), last_fire AS (
    SELECT DISTINCT ON (schedule_id) schedule_id, job_id, run_id FROM fire WHERE outcome = 'FIRED' ORDER BY schedule_id, scheduled_for DESC
), moved AS (
    UPDATE {schema}.job_schedules s
    SET next_fire_at = coalesce(c.moves_to, s.next_fire_at),
        deferred_from = CASE WHEN c.error_code IS NOT NULL AND isfinite(c.due_at) THEN c.due_at END,
        is_active = c.moves_to IS NOT NULL,
        last_fired_at = CASE WHEN l.schedule_id IS NULL THEN s.last_fired_at ELSE c.now END,
        last_job_id = coalesce(l.job_id, s.last_job_id),
        last_run_id = coalesce(l.run_id, s.last_run_id)
    FROM cursor c LEFT JOIN last_fire l ON l.schedule_id = c.id
    WHERE s.id = c.id
    RETURNING s.id, s.name, s.is_active, c.is_defined
)
SELECT m.id AS moved_id, m.name, m.is_active, m.is_defined, f.*
FROM moved m
LEFT JOIN fire f ON f.schedule_id = m.id AND f.outcome NOT IN ('DEFERRED', 'PAUSED')
CROSS JOIN (SELECT count(*) FROM signal) sent
