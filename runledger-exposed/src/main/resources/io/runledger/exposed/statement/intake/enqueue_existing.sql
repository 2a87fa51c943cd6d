-- The reason why each keyed job was not inserted: the job that holds its key, and whether the two requests are equal; or no such job, and
-- whether the type has an enabled definition. If it has one, the job that held the key has just been deleted.
-- This is a statement of its own, because it must see the rows that were committed while the insert waited.
-- The lock keeps the existing job from being deleted before the caller's transaction ends. It conflicts with no update.
WITH input AS (
    SELECT * FROM unnest(:ids::uuid[], :job_types::text[], :organization_ids::uuid[], :idempotency_keys::text[], :enqueue_requests::text[])
        AS i (id, job_type, organization_id, idempotency_key, enqueue_request)
), found AS MATERIALIZED (
    SELECT i.id, q.id AS existing_id, q.status, q.run_number, q.enqueue_request = i.enqueue_request::jsonb AS same
    FROM input i
    JOIN {schema}.job_queue q
        ON q.idempotency_key = i.idempotency_key AND q.job_type = i.job_type
        AND q.organization_id IS NOT DISTINCT FROM i.organization_id
    FOR KEY SHARE OF q
)
SELECT
    i.id, f.existing_id, f.status, f.run_number, f.same,
    EXISTS (SELECT FROM {schema}.job_definitions d WHERE d.job_type = i.job_type AND d.is_enabled) AS is_defined
FROM input i LEFT JOIN found f ON f.id = i.id
