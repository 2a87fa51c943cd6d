-- Finds the runs that hold the keys, and whether each was enqueued with the same request.
-- This is a separate statement, because it must see rows that were committed while the insert waited.
-- The lock keeps the run from being deleted before the caller's transaction ends.
SELECT i.id, r.id AS existing_id, r.status, r.enqueue_request = i.enqueue_request::jsonb AS same
FROM unnest(:ids::uuid[], :workflow_types::text[], :organization_ids::uuid[], :idempotency_keys::text[], :enqueue_requests::text[])
    AS i (id, workflow_type, organization_id, idempotency_key, enqueue_request)
JOIN {schema}.workflow_runs r
    ON r.idempotency_key = i.idempotency_key AND r.workflow_type = i.workflow_type
    AND r.organization_id IS NOT DISTINCT FROM i.organization_id
FOR KEY SHARE OF r
