-- Creates a job of a locked schedule outside its recurrence. Returns no row if the definition is missing or disabled.
WITH made AS (
    INSERT INTO {schema}.job_queue (
        id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, stage, initial_stage
    )
    SELECT
        :job_id, s.job_type, s.organization_id,
        CASE WHEN jsonb_typeof(s.payload_template) = 'object' THEN s.payload_template
            ELSE jsonb_build_object('payload', s.payload_template) END
        || jsonb_build_object('_schedule', jsonb_build_object(
            'schedule_id', s.id, 'schedule_name', s.name, 'scheduled_for', :scheduled_for::text
        )),
        d.default_priority, d.max_attempts, d.default_timeout_seconds, 'scheduled', 'scheduled'
    FROM {schema}.job_schedules s JOIN {schema}.job_definitions d ON d.job_type = s.job_type AND d.is_enabled
    WHERE s.id = :schedule_id
    FOR KEY SHARE OF d
    RETURNING id, job_type
), signal AS (
    SELECT pg_notify({channel}, 'j:' || job_type) FROM made WHERE {signals}
)
UPDATE {schema}.job_schedules s
SET last_job_id = made.id
FROM made CROSS JOIN (SELECT count(*) FROM signal) sent
WHERE s.id = :schedule_id
RETURNING made.id
