-- The equivalent of succeed for servers before PostgreSQL 18, where RETURNING cannot refer to the replaced row version.
-- The values of the attempt are read under the lock, because the update clears them. A row that another transaction holds is skipped; in
-- the caller's transaction SKIP LOCKED is left out. LATERAL keeps the planner on the primary key.
WITH held AS MATERIALIZED (
    SELECT i.output, q.*, clock_timestamp() AS at
    FROM (SELECT * FROM unnest(:job_ids::uuid[], :lease_ids::uuid[], :outputs::text[]) AS i (id, lease_id, output) ORDER BY id) i
    CROSS JOIN LATERAL (
        SELECT {fragment/attempt_columns}, q.lease_id
        FROM {schema}.job_queue q
        WHERE q.id = i.id AND q.lease_id = i.lease_id AND q.is_step = :is_step::bool
        FOR NO KEY UPDATE SKIP LOCKED
    ) q
), ended AS (
    UPDATE {schema}.job_queue job
    SET status = 'SUCCEEDED', stage = 'completed', finished_at = q.at, output = q.output::jsonb, status_reason = NULL,
        last_error_code = NULL, last_error_message = NULL, {fragment/clear_lease}, lease_expires_at = NULL, updated_at = now()
    FROM held q
    WHERE job.id = q.id AND job.lease_id = q.lease_id AND job.lease_expires_at > clock_timestamp()
    RETURNING {fragment/attempt_columns}, q.lease_id, q.at,
        CASE WHEN job.flow_group IS NOT NULL AND {signals} THEN pg_notify({channel}, 'f:')::text END AS freed
), ended_attempt AS (
    SELECT {fragment/attempt_columns}, q.at, 'SUCCEEDED'::{schema}.job_failure_kind AS outcome FROM ended q
), attempt AS (
    {fragment/insert_attempt}
)
SELECT count(*) AS jobs, CASE WHEN count(*) <> :jobs::int THEN array_agg(lease_id) END AS lease_ids FROM ended
