-- Deletes the families whose jobs are all held, with all rows that belong to their jobs.
-- The families are read again: a replay that was created before its source was locked becomes visible only now.
WITH RECURSIVE family AS (
    SELECT r.id AS root, r.id AS member FROM unnest(:root_ids::uuid[]) AS r (id)
    UNION ALL
    SELECT f.root, r.replay_job_id FROM family f JOIN {schema}.job_replays r ON r.source_job_id = f.member
), partial AS MATERIALIZED (
    SELECT DISTINCT f.root FROM family f LEFT JOIN unnest(:held_ids::uuid[]) AS h (id) ON h.id = f.member WHERE h.id IS NULL
), target AS MATERIALIZED (
    SELECT f.member AS id FROM family f LEFT JOIN partial p ON p.root = f.root WHERE p.root IS NULL
), attempt AS (
    DELETE FROM {schema}.job_attempts a USING target d WHERE a.job_id = d.id RETURNING 1
), journal AS (
    DELETE FROM {schema}.job_journal j USING target d WHERE j.job_id = d.id RETURNING 1
), log AS (
    DELETE FROM {schema}.job_logs l USING target d WHERE l.job_id = d.id RETURNING 1
), dead_letter AS (
    DELETE FROM {schema}.job_dead_letters l USING target d WHERE l.job_id = d.id RETURNING 1
), replay AS (
    DELETE FROM {schema}.job_replays r USING target d WHERE r.replay_job_id = d.id
), key AS (
    DELETE FROM {schema}.job_keys k USING target d WHERE k.job_id = d.id
), job AS (
    DELETE FROM {schema}.job_queue q USING target d WHERE q.id = d.id RETURNING 1
)
SELECT
    (SELECT count(*) FROM job) AS jobs, (SELECT count(*) FROM attempt) AS attempts, (SELECT count(*) FROM journal) AS events,
    (SELECT count(*) FROM log) AS logs, (SELECT count(*) FROM dead_letter) AS dead_letters
