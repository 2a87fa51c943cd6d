-- Says for each job that was not inserted why: the job that holds its key and whether that was asked for with the same request, or
-- no row for a job that has no enabled definition. A statement of its own: it must see what committed while the insert waited.
-- The lock keeps the existing job from being deleted before the caller's transaction ends; it conflicts with no update.
SELECT i.id, q.id AS existing_id, q.status, q.run_number, q.enqueue_request = i.enqueue_request::jsonb AS same
FROM unnest(?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::text[])
    AS i (id, job_type, organization_id, idempotency_key, enqueue_request)
JOIN {schema}.job_queue q
    ON q.idempotency_key = i.idempotency_key AND q.job_type = i.job_type
    AND q.organization_id IS NOT DISTINCT FROM i.organization_id
FOR KEY SHARE OF q
