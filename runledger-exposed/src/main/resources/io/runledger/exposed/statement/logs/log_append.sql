-- Appends lines in the given order. Lines of jobs that do not exist are skipped, so that the other lines are still written. The lock, which
-- the foreign key takes anyway, prevents a concurrent delete of the jobs.
-- A run of a job has at most :max_lines lines, and the last of them is :notice. Lines are counted from the newest line of the job, which is
-- one index lookup, so concurrent writers can count the same.
WITH input AS (
    SELECT * FROM unnest(:job_ids::uuid[], :run_numbers::int[], :attempts::int[], :levels::text[], :messages::text[], :payloads::text[])
        WITH ORDINALITY AS i (job_id, run_number, attempt, level, message, payload, line)
), bounds AS (
    SELECT :max_lines::int AS lines, :notice::text AS notice
), job AS MATERIALIZED (
    SELECT id, run_number FROM {schema}.job_queue WHERE id = ANY (SELECT job_id FROM input) ORDER BY id FOR KEY SHARE
), newest AS MATERIALIZED (
    SELECT job.id, job.run_number AS current_run, l.run_number, l.line_number
    FROM job
    LEFT JOIN LATERAL (
        SELECT run_number, line_number FROM {schema}.job_logs l WHERE l.job_id = job.id ORDER BY l.id DESC LIMIT 1
    ) l ON true
), numbered AS (
    SELECT
        i.job_id, r.run_number, i.attempt, i.level, i.message, i.payload, i.line,
        CASE WHEN n.run_number = r.run_number THEN n.line_number ELSE 0 END
            + row_number() OVER (PARTITION BY i.job_id, r.run_number ORDER BY i.line) AS line_number
    FROM input i JOIN newest n ON n.id = i.job_id
    CROSS JOIN LATERAL (SELECT coalesce(i.run_number, n.current_run) AS run_number) r
)
INSERT INTO {schema}.job_logs (job_id, run_number, attempt, line_number, level, message, payload)
SELECT
    n.job_id, n.run_number, n.attempt, n.line_number, CASE WHEN n.line_number < b.lines THEN n.level ELSE 'WARN' END,
    CASE WHEN n.line_number < b.lines THEN n.message ELSE b.notice END,
    CASE WHEN n.line_number < b.lines THEN n.payload::jsonb ELSE '{}' END
FROM numbered n CROSS JOIN bounds b
WHERE n.line_number <= b.lines
ORDER BY n.line
