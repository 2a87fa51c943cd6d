-- Pauses a locked run and the jobs of its steps that have not ended. Returns the run.
-- A leased job is paused too: if it returns to the queue, no worker claims another attempt of it. The notification lets workers return
-- jobs of the run that they have claimed ahead.
-- The statement reads the clock after it has locked every job: no claim that begins after that time takes one of them.
WITH given AS (
    SELECT :run_id::uuid AS id, :reason::text AS reason
), job AS MATERIALIZED (
    SELECT q.id FROM {schema}.job_queue q
    WHERE q.id = ANY (ARRAY(
        SELECT s.job_id FROM {schema}.workflow_step_rows s
        WHERE s.workflow_run_id = (SELECT id FROM given) AND s.status = 'BLOCKED' AND s.job_id IS NOT NULL
    )) AND q.status IN ('PENDING', 'LEASED')
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), stamp AS MATERIALIZED (
    SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM job) locked
), paused AS (
    UPDATE {schema}.job_queue q SET is_paused = true, updated_at = now() WHERE q.id = ANY (ARRAY(SELECT id FROM job))
), journal AS (
    INSERT INTO {schema}.workflow_run_journal (workflow_run_id, occurred_at, event_type, reason)
    SELECT g.id, stamp.at, 'PAUSED', g.reason FROM given g CROSS JOIN stamp
), signal AS (
    SELECT pg_notify({channel}, 'h:' || g.id) FROM given g WHERE {signals}
)
UPDATE {schema}.workflow_runs r SET paused_at = stamp.at, pause_reason = g.reason, updated_at = now()
FROM given g CROSS JOIN stamp CROSS JOIN (SELECT count(*) FROM signal) sent
WHERE r.id = g.id
RETURNING r.*
