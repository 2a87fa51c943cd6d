-- Releases the active keys of ended runs whose canceled handlers have stopped by now, the oldest runs first.
-- A run marks its key when it ends. The statement also checks the oldest keys for runs that were ended by hand.
-- It locks the runs, so that no retry of them runs at the same time. It skips runs and keys that another session has locked; a later call
-- releases those.
WITH ended AS MATERIALIZED (
    SELECT a.workflow_run_id AS id FROM {schema}.workflow_active_claims a WHERE a.release_pending
    UNION
    SELECT r.id FROM {schema}.workflow_runs r
    WHERE r.id = ANY (ARRAY(SELECT a.workflow_run_id FROM {schema}.workflow_active_claims a ORDER BY a.workflow_run_id LIMIT 1000))
        AND r.status IN ('SUCCEEDED', 'COMPLETED_WITH_ERRORS', 'CANCELED')
), held AS MATERIALIZED (
    SELECT r.id FROM {schema}.workflow_runs r
    WHERE r.id = ANY (ARRAY(SELECT id FROM ended)) AND r.status IN ('SUCCEEDED', 'COMPLETED_WITH_ERRORS', 'CANCELED')
        AND NOT EXISTS (
            SELECT FROM {schema}.workflow_step_rows s JOIN {schema}.job_queue q ON q.id = s.job_id
            WHERE s.workflow_run_id = r.id AND q.status = 'CANCELED' AND q.lease_expires_at > clock_timestamp()
        )
    ORDER BY r.id
    LIMIT :limit
    FOR NO KEY UPDATE OF r SKIP LOCKED
), free AS MATERIALIZED (
    SELECT a.workflow_run_id FROM {schema}.workflow_active_claims a
    WHERE a.workflow_run_id = ANY (ARRAY(SELECT id FROM held))
    FOR UPDATE OF a SKIP LOCKED
)
DELETE FROM {schema}.workflow_active_claims WHERE workflow_run_id = ANY (ARRAY(SELECT workflow_run_id FROM free))
RETURNING workflow_run_id
