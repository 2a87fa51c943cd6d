-- Appends lines in the order given. Lines of jobs that do not exist are left out: they must not cost the others theirs. The
-- lock, which the foreign key takes anyway, keeps the jobs from being deleted in between.
WITH input AS (
    SELECT * FROM unnest(?::uuid[], ?::int[], ?::int[], ?::text[], ?::text[], ?::text[])
        WITH ORDINALITY AS i (job_id, run_number, attempt, level, message, payload, line)
), job AS MATERIALIZED (
    SELECT id, run_number FROM {schema}.job_queue WHERE id = ANY (SELECT job_id FROM input) ORDER BY id FOR KEY SHARE
)
INSERT INTO {schema}.job_logs (job_id, run_number, attempt, level, message, payload)
SELECT i.job_id, coalesce(i.run_number, job.run_number), i.attempt, i.level, i.message, i.payload::jsonb
FROM input i JOIN job ON job.id = i.job_id
ORDER BY i.line
