-- Ends attempts that succeeded and have nothing more to say than their output: what most settlements are, and cheaper than
-- the statement for all of them. Answers with one row per settlement that was applied; a missing row is a job of the other sort or a lost
-- lease, and nothing was changed for it.
-- Parameters: job ids, lease ids, outputs; whether jobs of workflow steps are meant or jobs of their own.
-- What the attempt was is told by the version of the row that the update replaces, which only PostgreSQL 18 and newer can answer with.
-- No row is locked beforehand: the update itself waits for whoever holds one, and looks again at the lease if that changed the row.
-- Each row is found by its primary key, in order of the ids: SELECT hides from the planner how many are asked for, or it would read
-- the whole of a small table for some hundreds of them.
WITH ended AS (
    UPDATE {schema}.job_queue q
    SET status = 'SUCCEEDED', stage = 'completed', finished_at = clock_timestamp(), output = i.output::jsonb, status_reason = NULL,
        last_error_code = NULL, last_error_message = NULL, lease_id = NULL, worker_id = NULL, leased_at = NULL, lease_seconds = NULL,
        claim_origin = NULL, lease_expires_at = NULL, last_heartbeat_at = NULL, execution_started_persisted_at = NULL, updated_at = now()
    FROM (
        SELECT * FROM unnest((SELECT ?::uuid[]), (SELECT ?::uuid[]), (SELECT ?::text[])) AS i (id, lease_id, output) ORDER BY id
    ) i
    WHERE q.id = i.id AND q.lease_id = i.lease_id AND q.is_step = ?::bool AND q.lease_expires_at > clock_timestamp()
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
