-- Says for each keyed job that was not inserted why: the job that holds its key and whether that was asked for with the same request; or
-- no such job, and whether its type has an enabled definition. With one, the holder of the key has just been deleted.
-- A statement of its own: it must see what committed while the insert waited.
-- The lock keeps the existing job from being deleted before the caller's transaction ends; it conflicts with no update.
WITH input AS (
    SELECT * FROM unnest(?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::text[])
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
