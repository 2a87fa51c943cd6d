-- Creates a job of a locked schedule outside its recurrence. Returns no row if the definition is missing or disabled.
WITH new_job AS (
    SELECT :job_id::uuid AS id, {fragment/scheduled_job}
    FROM {schema}.job_schedules s JOIN {schema}.job_definitions d ON d.job_type = s.job_type AND d.is_enabled
    CROSS JOIN (SELECT :scheduled_for::text AS scheduled_for_text, :headers::text AS headers) i
    WHERE s.id = :schedule_id
    FOR KEY SHARE OF d
), made AS (
    {fragment/insert_job}
    RETURNING id, job_type
), signal AS (
    SELECT pg_notify({channel}, 'j:' || job_type) FROM made WHERE {signals}
)
UPDATE {schema}.job_schedules s
SET last_job_id = made.id
FROM made CROSS JOIN (SELECT count(*) FROM signal) sent
WHERE s.id = :schedule_id
RETURNING made.id
