-- Ends attempts that succeeded and have nothing more to say than their output: what most settlements are, and cheaper than
-- the statement for all of them. Answers with one row per settlement that was applied; a missing row is a job of the other sort, a lost
-- lease or a row that another transaction holds, and nothing was changed for it.
-- Parameters: job ids, lease ids, outputs; whether jobs of workflow steps are meant or jobs of their own.
-- What the attempt was is told by the version of the row that the update replaces, which only PostgreSQL 18 and newer can answer with.
-- Each row is locked before it is updated, because an update cannot skip a row that another transaction holds and would keep all the others
-- waiting for it. In a transaction of the caller's SKIP LOCKED is left out.
-- Each row is found by its primary key, in order of the ids: LATERAL keeps the planner to that, and SELECT hides from it how many are
-- asked for, or it would read the whole of a small table for some hundreds of them.
WITH ended AS (
    UPDATE {schema}.job_queue q
    SET status = 'SUCCEEDED', stage = 'completed', finished_at = clock_timestamp(), output = i.output::jsonb, status_reason = NULL,
        last_error_code = NULL, last_error_message = NULL, lease_id = NULL, worker_id = NULL, leased_at = NULL, lease_seconds = NULL,
        claim_origin = NULL, lease_expires_at = NULL, last_heartbeat_at = NULL, execution_started_persisted_at = NULL, updated_at = now()
    FROM (
        SELECT held.id, held.lease_id, i.output
        FROM (
            SELECT * FROM unnest((SELECT ?::uuid[]), (SELECT ?::uuid[]), (SELECT ?::text[])) AS i (id, lease_id, output) ORDER BY id
        ) i
        CROSS JOIN LATERAL (
            SELECT q.id, q.lease_id FROM {schema}.job_queue q
            WHERE q.id = i.id AND q.lease_id = i.lease_id AND q.is_step = ?::bool
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
