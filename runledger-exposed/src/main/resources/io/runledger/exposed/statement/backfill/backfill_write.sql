-- Writes instants of a backfill: a line in the history for each, and its job. Returns the number of lines. The caller has locked the schedule
-- and the definitions of its jobs. Runs have been started before, and their instants come with a run instead of a job. The cursor and the
-- last job of the schedule stay as they are.
WITH instant AS (
    SELECT * FROM unnest(
        :scheduled_for::timestamptz[], :scheduled_for_texts::text[], :dedup_keys::text[], :job_ids::uuid[], :run_ids::uuid[], :headers::text[]
    ) AS i (scheduled_for, scheduled_for_text, dedup_key, job_id, run_id, headers)
), fire AS (
    INSERT INTO {schema}.job_schedule_fires (
        schedule_id, job_id, run_id, scheduled_for, fired_at, cause, outcome, dedup_key, reason
    )
    SELECT :schedule_id::uuid, i.job_id, i.run_id, i.scheduled_for, :now::timestamptz, 'BACKFILL', 'FIRED', i.dedup_key, :reason::text
    FROM instant i
    RETURNING job_id, scheduled_for
), new_job AS (
    SELECT f.job_id AS id, {fragment/scheduled_job}
    FROM fire f
    JOIN instant i ON i.scheduled_for = f.scheduled_for
    JOIN {schema}.job_schedules s ON s.id = :schedule_id::uuid
    JOIN {schema}.job_definitions d ON d.job_type = s.job_type
    WHERE f.job_id IS NOT NULL
), job AS (
    {fragment/insert_job}
    RETURNING job_type
), signal AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type) FROM (SELECT DISTINCT job_type FROM job) t WHERE {signals}
)
SELECT count(*) AS fires FROM fire CROSS JOIN (SELECT count(*) FROM signal) sent
