-- Picks ended jobs that are old enough and locks them, each with the jobs that replayed it: they are forgotten together or not at
-- all. Answers with one row per job of such a family, saying whether it may go; rows that somebody holds are skipped.
-- Parameters: age in microseconds, position to go on from, statuses (twice), limit.
-- Ended jobs are in no index but the primary key, which is in order of time: the walk ends at ids made a day after the age asked
-- for. The day is for clocks that differ; a job whose id lies further in the future is found that much later.
-- Jobs of workflow steps stay: they belong to their run.
WITH RECURSIVE age AS MATERIALIZED (
    SELECT now() - ?::bigint * interval '1 microsecond' AS cutoff
), last AS MATERIALIZED (
    SELECT (
        lpad(to_hex(greatest(0, floor(extract(epoch FROM cutoff + interval '1 day') * 1000))::bigint), 12, '0') || repeat('f', 20)
    )::uuid AS id
    FROM age
), root AS MATERIALIZED (
    SELECT q.id
    FROM {schema}.job_queue q
    WHERE q.id > ? AND q.id <= (SELECT id FROM last)
        AND q.status = ANY (?::text[]::{schema}.job_status[]) AND q.finished_at <= (SELECT cutoff FROM age)
        AND NOT EXISTS (SELECT FROM {schema}.workflow_steps s WHERE s.job_id = q.id)
        AND NOT EXISTS (SELECT FROM {schema}.job_replays r WHERE r.replay_job_id = q.id)
    ORDER BY q.id
    LIMIT ?
), family AS (
    SELECT id AS root, id AS member FROM root
    UNION ALL
    SELECT f.root, r.replay_job_id FROM family f JOIN {schema}.job_replays r ON r.source_job_id = f.member
), held AS MATERIALIZED (
    SELECT q.id
    FROM {schema}.job_queue q
    WHERE q.id IN (SELECT member FROM family)
        AND q.status = ANY (?::text[]::{schema}.job_status[]) AND q.finished_at <= (SELECT cutoff FROM age)
        AND NOT EXISTS (SELECT FROM {schema}.workflow_steps s WHERE s.job_id = q.id)
    ORDER BY q.id
    FOR UPDATE OF q SKIP LOCKED
)
SELECT f.root, f.member, h.id IS NOT NULL AS is_held
FROM family f LEFT JOIN held h ON h.id = f.member
ORDER BY f.root
