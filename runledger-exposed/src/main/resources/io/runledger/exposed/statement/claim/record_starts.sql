-- Records that the handlers of jobs that were claimed ahead have begun. From then on the attempt counts, also if the worker dies. Returns
-- one row per recorded start. A missing row is a lost lease, or a row that another session holds; nothing was changed for it.
-- LATERAL keeps the planner on the primary key.
WITH held AS MATERIALIZED (
    SELECT q.id
    FROM (SELECT * FROM unnest(:job_ids::uuid[], :lease_ids::uuid[]) AS i (id, lease_id) ORDER BY id) i
    CROSS JOIN LATERAL (
        SELECT q.id FROM {schema}.job_queue q
        WHERE q.id = i.id AND q.lease_id = i.lease_id AND q.lease_expires_at > clock_timestamp()
        FOR NO KEY UPDATE SKIP LOCKED
    ) q
)
UPDATE {schema}.job_queue q
SET execution_started_persisted_at = coalesce(q.execution_started_persisted_at, clock_timestamp()), updated_at = now()
FROM held
WHERE q.id = held.id
RETURNING q.lease_id
