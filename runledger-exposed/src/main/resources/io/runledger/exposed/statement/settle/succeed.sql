-- Ends attempts that succeeded and have only an output to write. Most settlements are of this kind, and it is cheaper than settle. Returns
-- the number of applied settlements and, unless that is :jobs, their leases. A missing one is a job of the other kind, a lost lease or a row
-- that another transaction holds; nothing was changed for it. :is_step selects either the jobs of workflow steps or the jobs without a step.
-- The values of the attempt come from the row version that the update replaces (OLD), which requires PostgreSQL 18.
-- Each row is locked before it is updated, because an UPDATE cannot skip a row that another transaction holds and would delay all the
-- others. In the caller's transaction SKIP LOCKED is left out.
-- Each row is found by its primary key, in id order: LATERAL keeps the planner on it. The SELECT around each array hides its length from
-- the planner, which would otherwise read the whole of a small table for some hundreds of rows.
WITH ended AS (
    UPDATE {schema}.job_queue job
    SET status = 'SUCCEEDED', stage = 'completed', finished_at = clock_timestamp(), output = i.output::jsonb, status_reason = NULL,
        last_error_code = NULL, last_error_message = NULL, {fragment/clear_lease}, lease_expires_at = NULL, updated_at = now()
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
    WHERE job.id = i.id AND job.lease_id = i.lease_id AND job.lease_expires_at > clock_timestamp()
    RETURNING WITH (OLD AS q) {fragment/attempt_columns}, q.lease_id, job.finished_at AS at,
        CASE WHEN job.flow_group IS NOT NULL AND {signals} THEN pg_notify({channel}, 'f:')::text END AS freed
), ended_attempt AS (
    SELECT {fragment/attempt_columns}, q.at, 'SUCCEEDED'::{schema}.job_failure_kind AS outcome FROM ended q
), attempt AS (
    {fragment/insert_attempt}
)
SELECT count(*) AS jobs, CASE WHEN count(*) <> :jobs::int THEN array_agg(lease_id) END AS lease_ids FROM ended
