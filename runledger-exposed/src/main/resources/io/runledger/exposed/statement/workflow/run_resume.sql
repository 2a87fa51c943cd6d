-- Resumes a locked run and the jobs of its steps that have not ended. Returns the run.
-- Sends one notification per type of jobs that are due.
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
), resumed AS (
    UPDATE {schema}.job_queue q SET is_paused = false, updated_at = now()
    WHERE q.id = ANY (ARRAY(SELECT id FROM job))
    RETURNING q.job_type, q.status, q.next_run_at
), journal AS (
    INSERT INTO {schema}.workflow_run_journal (workflow_run_id, occurred_at, event_type, reason)
    SELECT g.id, clock_timestamp(), 'RESUMED', g.reason FROM given g
), run AS (
    UPDATE {schema}.workflow_runs r SET paused_at = NULL, pause_reason = NULL, updated_at = now()
    FROM given g
    WHERE r.id = g.id
    RETURNING r.*
), notified AS (
    SELECT pg_notify({channel}, 'j:' || t.job_type)
    FROM (SELECT DISTINCT job_type FROM resumed WHERE status = 'PENDING' AND next_run_at <= clock_timestamp()) t
    WHERE {signals}
)
SELECT run.* FROM run CROSS JOIN (SELECT count(*) FROM notified) notified
