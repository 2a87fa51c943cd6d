-- Picks ended jobs that are old enough, the longest ended first, and locks them, each with the jobs that replayed it: they are forgotten
-- together or not at all. Answers with one row per job of such a family, saying whether it may go; rows that another session holds are
-- skipped. Parameters: age in microseconds, position to go on from (instant or null, id), statuses, limit (twice), statuses.
-- Each status is read from its place in the index: jobs that ended in another way, or lately, or not at all, are not read, nor are the jobs
-- of workflow steps, which belong to their run.
-- The schedule whose last job it is forgets a job that is deleted. A schedule that another session holds keeps its last job: waiting for
-- that session could last, and it may be waiting for this one.
WITH RECURSIVE age AS MATERIALIZED (
    SELECT now() - ?::bigint * interval '1 microsecond' AS cutoff
), given AS MATERIALIZED (
    SELECT coalesce(?::timestamptz, '0001-01-01 00:00:00Z') AS at, ?::uuid AS id
), root AS MATERIALIZED (
    SELECT o.id, o.finished_at
    FROM unnest(?::text[]::{schema}.job_status[]) AS s (status)
    CROSS JOIN LATERAL (
        SELECT q.id, q.finished_at
        FROM {schema}.job_queue q
        WHERE q.status = s.status AND q.finished_at IS NOT NULL AND NOT q.is_step
            AND (q.finished_at, q.id) > ((SELECT at FROM given), (SELECT id FROM given))
            AND q.finished_at <= (SELECT cutoff FROM age)
            AND NOT EXISTS (SELECT FROM {schema}.job_replays r WHERE r.replay_job_id = q.id)
        ORDER BY q.finished_at, q.id
        LIMIT ?
    ) o
    ORDER BY o.finished_at, o.id
    LIMIT ?
), family AS (
    SELECT id AS root, id AS member FROM root
    UNION ALL
    SELECT f.root, r.replay_job_id FROM family f JOIN {schema}.job_replays r ON r.source_job_id = f.member
), held AS MATERIALIZED (
    SELECT q.id
    FROM {schema}.job_queue q
    WHERE q.id = ANY (ARRAY(SELECT member FROM family))
        AND q.status = ANY (?::text[]::{schema}.job_status[]) AND q.finished_at <= (SELECT cutoff FROM age) AND NOT q.is_step
    ORDER BY q.id
    FOR UPDATE OF q SKIP LOCKED
), schedule AS MATERIALIZED (
    SELECT s.id FROM {schema}.job_schedules s
    WHERE s.last_job_id = ANY (ARRAY(SELECT id FROM held))
    FOR NO KEY UPDATE OF s SKIP LOCKED
), kept AS MATERIALIZED (
    SELECT s.last_job_id AS id FROM {schema}.job_schedules s
    WHERE s.last_job_id = ANY (ARRAY(SELECT id FROM held)) AND s.id <> ALL (ARRAY(SELECT id FROM schedule))
)
SELECT
    f.root, root.finished_at, f.member,
    EXISTS (SELECT FROM held h WHERE h.id = f.member) AND NOT EXISTS (SELECT FROM kept k WHERE k.id = f.member) AS is_held
FROM family f JOIN root ON root.id = f.root
ORDER BY root.finished_at, f.root
