-- Takes keys: inserts the row of each key that is not in use, and locks the row of each other key until the end of the transaction. Returns
-- the jobs of the inserted rows.
-- An enqueue of the same key in another session waits here for the end of this transaction. Keys are taken in the order in which they are
-- given, which is the same for all callers, so that two statements cannot deadlock.
-- ON CONFLICT locks a row even if its WHERE is false: then nothing is written.
-- The definitions are locked first, as in all statements that insert jobs: a disable locks the definition before the jobs.
WITH definition AS MATERIALIZED (
    SELECT job_type FROM {schema}.job_definitions WHERE job_type = ANY (:all_types::text[]) ORDER BY job_type FOR KEY SHARE
)
INSERT INTO {schema}.job_keys AS k (job_id, organization_id, ends_at, is_payload, job_type, key)
SELECT i.job_id, i.organization_id, now() + i.window_us * interval '1 microsecond', i.is_payload, i.job_type, i.key
FROM unnest(
    :job_ids::uuid[], :organization_ids::uuid[], :windows_us::bigint[], :payload_flags::bool[], :job_types::text[], :keys::text[]
) WITH ORDINALITY AS i (job_id, organization_id, window_us, is_payload, job_type, key, position)
CROSS JOIN (SELECT count(*) FROM definition) locked
ORDER BY i.position
ON CONFLICT (key, job_type, is_payload, organization_id) DO UPDATE SET ends_at = k.ends_at WHERE false
RETURNING job_id
