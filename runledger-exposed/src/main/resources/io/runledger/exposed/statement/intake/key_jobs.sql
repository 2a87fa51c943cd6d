-- The jobs that hold the taken keys, each with the position of its key. A statement of its own, because it must see what was committed while
-- key_take waited. The rows of the keys are locked, so that retention does not delete their jobs; the rows of the jobs are not.
-- LIMIT keeps the planner from reading all keys once instead of looking up each.
-- The columns of the job are null if it was deleted by hand.
SELECT
    i.position, k.job_id, coalesce(k.ends_at > now(), false) AS is_window_open, q.id AS found_id, q.status, q.run_number, q.attempt
FROM unnest(:organization_ids::uuid[], :payload_flags::bool[], :job_types::text[], :keys::text[])
    WITH ORDINALITY AS i (organization_id, is_payload, job_type, key, position)
CROSS JOIN LATERAL (
    SELECT k.job_id, k.ends_at FROM {schema}.job_keys k
    WHERE k.key = i.key AND k.job_type = i.job_type AND k.is_payload = i.is_payload
        AND k.organization_id IS NOT DISTINCT FROM i.organization_id
    LIMIT 1
) k
LEFT JOIN {schema}.job_queue q ON q.id = k.job_id
