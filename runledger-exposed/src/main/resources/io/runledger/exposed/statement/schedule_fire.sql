-- Writes a pass: what became of each instant, the jobs it makes, and where the schedules' cursors go. Answers with a row per schedule and
-- instant, or one per schedule that had none.
-- Parameters: instants (schedule, instant, its text, outcome, job or null); cursors (schedule, next fire or null at its end);
-- until when to defer; the clock, twice.
-- An instant that is there already makes no second job. A schedule without an enabled definition is deferred and writes nothing else; the
-- definition is locked as an enqueue locks it.
WITH instant AS (
    SELECT * FROM unnest(?::uuid[], ?::timestamptz[], ?::text[], ?::text[], ?::uuid[])
        AS i (schedule_id, scheduled_for, scheduled_for_text, outcome, job_id)
), due AS MATERIALIZED (
    SELECT s.id, s.name, s.job_type, s.organization_id, s.payload_template, c.next_fire_at
    FROM unnest(?::uuid[], ?::timestamptz[]) AS c (schedule_id, next_fire_at)
    JOIN {schema}.job_schedules s ON s.id = c.schedule_id
), definition AS MATERIALIZED (
    SELECT job_type, default_priority, max_attempts, default_timeout_seconds
    FROM {schema}.job_definitions
    WHERE job_type = ANY (SELECT job_type FROM due) AND is_enabled
    ORDER BY job_type
    FOR KEY SHARE
), cursor AS (
    SELECT due.*, d.job_type IS NOT NULL AS is_defined, CASE WHEN d.job_type IS NULL THEN ? ELSE due.next_fire_at END AS moves_to
    FROM due LEFT JOIN definition d ON d.job_type = due.job_type
), fire AS (
    INSERT INTO {schema}.job_schedule_fires (schedule_id, scheduled_for, fired_at, outcome, job_id)
    SELECT i.schedule_id, i.scheduled_for, ?, i.outcome, i.job_id
    FROM instant i JOIN cursor c ON c.id = i.schedule_id AND c.is_defined
    ON CONFLICT (schedule_id, scheduled_for) DO NOTHING
    RETURNING schedule_id, scheduled_for, fired_at, outcome, job_id
), job AS (
    INSERT INTO {schema}.job_queue (
        id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, stage, initial_stage
    )
    SELECT
        f.job_id, due.job_type, due.organization_id,
        CASE WHEN jsonb_typeof(due.payload_template) = 'object' THEN due.payload_template
            ELSE jsonb_build_object('payload', due.payload_template) END
        || jsonb_build_object('_schedule', jsonb_build_object(
            'schedule_id', due.id, 'schedule_name', due.name, 'scheduled_for', i.scheduled_for_text
        )),
        d.default_priority, d.max_attempts, d.default_timeout_seconds, 'scheduled', 'scheduled'
    FROM fire f
    JOIN instant i ON i.schedule_id = f.schedule_id AND i.scheduled_for = f.scheduled_for
    JOIN due ON due.id = f.schedule_id
    JOIN definition d ON d.job_type = due.job_type
    WHERE f.job_id IS NOT NULL
    RETURNING job_type
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type) FROM (SELECT DISTINCT job_type FROM job) t WHERE {signals}
), last_fire AS (
    SELECT DISTINCT ON (schedule_id) schedule_id, job_id FROM fire WHERE job_id IS NOT NULL ORDER BY schedule_id, scheduled_for DESC
), moved AS (
    UPDATE {schema}.job_schedules s
    SET next_fire_at = coalesce(c.moves_to, s.next_fire_at),
        is_active = c.moves_to IS NOT NULL,
        last_fired_at = CASE WHEN l.job_id IS NULL THEN s.last_fired_at ELSE ? END,
        last_job_id = coalesce(l.job_id, s.last_job_id)
    FROM cursor c LEFT JOIN last_fire l ON l.schedule_id = c.id
    WHERE s.id = c.id
    RETURNING s.id, s.name, s.is_active, c.is_defined
)
SELECT m.id AS schedule_id, m.name, m.is_active, m.is_defined, f.scheduled_for, f.fired_at, f.outcome, f.job_id
FROM moved m LEFT JOIN fire f ON f.schedule_id = m.id CROSS JOIN (SELECT count(*) FROM signal) told
