-- Picks ended runs that are old enough, the longest ended first, and locks them. Returns each with a flag that says whether it may be
-- deleted. A run is kept if another session holds it, if it still holds an active key, or if it recovers a run that is kept. :after_at and
-- :after_id are the position to continue from; :after_at is null at the start.
-- Each status is read from its place in the index: runs with another status, runs that ended recently and live runs are not read.
-- Deleting the last run of a schedule clears the schedule's reference to it. If another session holds the schedule, its last run is kept:
-- a wait for that session could be long, and that session may be waiting for this one.
WITH RECURSIVE age AS MATERIALIZED (
    SELECT now() - :age_us::bigint * interval '1 microsecond' AS cutoff
), given AS MATERIALIZED (
    SELECT coalesce(:after_at::timestamptz, '0001-01-01 00:00:00Z') AS at, :after_id::uuid AS id
), picked AS MATERIALIZED (
    SELECT o.id, o.finished_at
    FROM unnest(:statuses::text[]::{schema}.workflow_run_status[]) AS s (status)
    CROSS JOIN LATERAL (
        SELECT r.id, r.finished_at
        FROM {schema}.workflow_runs r
        WHERE r.status = s.status AND r.finished_at IS NOT NULL
            AND (r.finished_at, r.id) > ((SELECT at FROM given), (SELECT id FROM given))
            AND r.finished_at <= (SELECT cutoff FROM age)
        ORDER BY r.finished_at, r.id
        LIMIT :limit
    ) o
    ORDER BY o.finished_at, o.id
    LIMIT :limit
), held AS MATERIALIZED (
    SELECT r.id
    FROM {schema}.workflow_runs r
    WHERE r.id = ANY (ARRAY(SELECT id FROM picked))
        AND r.status = ANY (:statuses::text[]::{schema}.workflow_run_status[]) AND r.finished_at <= (SELECT cutoff FROM age)
        AND NOT EXISTS (SELECT FROM {schema}.workflow_active_claims a WHERE a.workflow_run_id = r.id)
    ORDER BY r.id
    FOR UPDATE OF r SKIP LOCKED
), schedule AS MATERIALIZED (
    SELECT s.id FROM {schema}.job_schedules s
    WHERE s.last_run_id = ANY (ARRAY(SELECT id FROM held))
    FOR NO KEY UPDATE OF s SKIP LOCKED
), free AS MATERIALIZED (
    SELECT h.id FROM held h
    WHERE NOT EXISTS (
        SELECT FROM {schema}.job_schedules s WHERE s.last_run_id = h.id AND s.id <> ALL (ARRAY(SELECT id FROM schedule))
    )
), bound AS (
    SELECT v.recovery_run_id AS id
    FROM free f JOIN {schema}.workflow_recoveries v ON v.recovery_run_id = f.id
    WHERE NOT EXISTS (SELECT FROM free s WHERE s.id = v.source_run_id)
    UNION
    SELECT v.recovery_run_id FROM bound b JOIN {schema}.workflow_recoveries v ON v.source_run_id = b.id
)
SELECT
    p.id, p.finished_at,
    EXISTS (SELECT FROM free f WHERE f.id = p.id) AND NOT EXISTS (SELECT FROM bound b WHERE b.id = p.id) AS is_deletable
FROM picked p
ORDER BY p.finished_at, p.id
