-- Picks ended jobs that are old enough, the longest ended first, and locks them, each with the jobs that replayed it: they are deleted
-- together or not at all. Returns one row per job of such a family with a flag that says whether it may be deleted. Rows that another
-- session holds are skipped. :after_at and :after_id are the position to continue from; :after_at is null at the start.
-- Each status is read from its place in the index: jobs with another status, jobs that ended recently and live jobs are not read, and
-- neither are the jobs of workflow steps, which belong to their run.
-- A job with a key is kept while another session holds the key, which may be waiting for the job, and while the key's window is open.
-- Deleting the last job of a schedule clears the schedule's reference to it. If another session holds the schedule, its last job is kept:
-- a wait for that session could be long, and that session may be waiting for this one.
WITH RECURSIVE age AS MATERIALIZED (
    SELECT now() - :age_us::bigint * interval '1 microsecond' AS cutoff
), given AS MATERIALIZED (
    SELECT coalesce(:after_at::timestamptz, '0001-01-01 00:00:00Z') AS at, :after_id::uuid AS id
), root AS MATERIALIZED (
    SELECT o.id, o.finished_at
    FROM unnest(:statuses::text[]::{schema}.job_status[]) AS s (status)
    CROSS JOIN LATERAL (
        SELECT q.id, q.finished_at
        FROM {schema}.job_queue q
        WHERE q.status = s.status AND q.finished_at IS NOT NULL AND NOT q.is_step
            AND (q.finished_at, q.id) > ((SELECT at FROM given), (SELECT id FROM given))
            AND q.finished_at <= (SELECT cutoff FROM age)
            AND NOT EXISTS (SELECT FROM {schema}.job_replays r WHERE r.replay_job_id = q.id)
        ORDER BY q.finished_at, q.id
        LIMIT :limit
    ) o
    ORDER BY o.finished_at, o.id
    LIMIT :limit
), family AS (
    SELECT id AS root, id AS member FROM root
    UNION ALL
    SELECT f.root, r.replay_job_id FROM family f JOIN {schema}.job_replays r ON r.source_job_id = f.member
), held AS MATERIALIZED (
    SELECT q.id
    FROM {schema}.job_queue q
    WHERE q.id = ANY (ARRAY(SELECT member FROM family))
        AND q.status = ANY (:statuses::text[]::{schema}.job_status[]) AND q.finished_at <= (SELECT cutoff FROM age) AND NOT q.is_step
    ORDER BY q.id
    FOR UPDATE OF q SKIP LOCKED
), schedule AS MATERIALIZED (
    SELECT s.id FROM {schema}.job_schedules s
    WHERE s.last_job_id = ANY (ARRAY(SELECT id FROM held))
    FOR NO KEY UPDATE OF s SKIP LOCKED
), key AS MATERIALIZED (
    SELECT k.job_id FROM {schema}.job_keys k
    WHERE k.job_id = ANY (ARRAY(SELECT id FROM held)) AND (k.ends_at <= now()) IS NOT FALSE
    FOR UPDATE OF k SKIP LOCKED
), kept AS MATERIALIZED (
    SELECT s.last_job_id AS id FROM {schema}.job_schedules s
    WHERE s.last_job_id = ANY (ARRAY(SELECT id FROM held)) AND s.id <> ALL (ARRAY(SELECT id FROM schedule))
    UNION ALL
    SELECT k.job_id FROM {schema}.job_keys k
    WHERE k.job_id = ANY (ARRAY(SELECT id FROM held)) AND k.job_id <> ALL (ARRAY(SELECT job_id FROM key))
)
SELECT
    f.root, root.finished_at, f.member,
    EXISTS (SELECT FROM held h WHERE h.id = f.member) AND NOT EXISTS (SELECT FROM kept k WHERE k.id = f.member) AS is_held
FROM family f JOIN root ON root.id = f.root
ORDER BY root.finished_at, f.root
