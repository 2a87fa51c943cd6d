-- Frees the active keys of ended runs whose canceled handlers must have noticed by now, the longest waiting first. Parameter: limit.
DELETE FROM {schema}.workflow_active_claims
WHERE workflow_run_id = ANY (ARRAY(
    SELECT a.workflow_run_id
    FROM {schema}.workflow_active_claims a JOIN {schema}.workflow_runs r ON r.id = a.workflow_run_id
    WHERE r.status IN ('SUCCEEDED', 'COMPLETED_WITH_ERRORS', 'CANCELED') AND NOT EXISTS (
        SELECT FROM {schema}.workflow_steps s JOIN {schema}.job_queue q ON q.id = s.job_id
        WHERE s.workflow_run_id = a.workflow_run_id AND q.status = 'CANCELED' AND q.lease_expires_at > clock_timestamp()
    )
    ORDER BY a.updated_at
    LIMIT ?
    FOR UPDATE OF a SKIP LOCKED
))
RETURNING workflow_run_id
