-- Ends attempts that succeeded and have only an output to write. Most settlements are of this kind, and it is cheaper than settle. Returns
-- one row per applied settlement. A missing row is a job of the other kind, a lost lease or a row that another transaction holds; nothing
-- was changed for it. :is_step selects either the jobs of workflow steps or the jobs without a step.
-- The values of the attempt come from the row version that the update replaces (old), which requires PostgreSQL 18.
-- Each row is locked before it is updated, because an UPDATE cannot skip a row that another transaction holds and would delay all the
-- others. In the caller's transaction SKIP LOCKED is left out.
-- Each row is found by its primary key, in id order: LATERAL keeps the planner on it. The SELECT around each array hides its length from
-- the planner, which would otherwise read the whole of a small table for some hundreds of rows.
WITH ended AS (
    UPDATE {schema}.job_queue q
    SET status = 'SUCCEEDED', stage = 'completed', finished_at = clock_timestamp(), output = i.output::jsonb, status_reason = NULL,
        last_error_code = NULL, last_error_message = NULL, lease_id = NULL, worker_id = NULL, leased_at = NULL, lease_seconds = NULL,
        claim_origin = NULL, lease_expires_at = NULL, last_heartbeat_at = NULL, execution_started_persisted_at = NULL, updated_at = now()
    FROM (
        SELECT held.id, held.lease_id, i.output
        FROM (
            SELECT * FROM unnest((SELECT :job_ids::uuid[]), (SELECT :lease_ids::uuid[]), (SELECT :outputs::text[]))
                AS i (id, lease_id, output)
            ORDER BY id
        ) i
        CROSS JOIN LATERAL (
            SELECT q.id, q.lease_id FROM {schema}.job_queue q
            WHERE q.id = i.id AND q.lease_id = i.lease_id AND q.is_step = :is_step::bool
            FOR NO KEY UPDATE SKIP LOCKED
        ) held
    ) i
    WHERE q.id = i.id AND q.lease_id = i.lease_id AND q.lease_expires_at > clock_timestamp()
    RETURNING
        q.id, old.lease_id, q.run_number, q.attempt, old.worker_id, old.leased_at, old.lease_seconds, old.claim_origin,
        old.execution_started_persisted_at, q.finished_at AS at
), attempt AS (
    INSERT INTO {schema}.job_attempts (
        job_id, leased_at, started_at, finished_at, execution_started_persisted_at, run_number, attempt, lease_seconds, outcome,
        worker_id, claim_origin
    )
    SELECT
        id, leased_at, coalesce(execution_started_persisted_at, leased_at), at, execution_started_persisted_at, run_number, attempt,
        lease_seconds, 'SUCCEEDED', worker_id, claim_origin
    FROM ended
)
SELECT lease_id FROM ended
