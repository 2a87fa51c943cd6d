-- Adds the contributions of steps to the contexts of their runs, by the merge rule of each run. Several contributions to one run apply in
-- the given order. The caller holds the locks of the runs.
UPDATE {schema}.workflow_runs r
SET context = CASE r.context_merge WHEN 'REPLACE' THEN r.context || c.last ELSE c.first || r.context END, updated_at = now()
FROM (
    SELECT
        i.run_id, jsonb_object_agg(entry.key, entry.value ORDER BY i.place) AS last,
        jsonb_object_agg(entry.key, entry.value ORDER BY i.place DESC) AS first
    FROM unnest(:run_ids::uuid[], :contributions::text[]) WITH ORDINALITY AS i (run_id, contribution, place)
    CROSS JOIN LATERAL jsonb_each(i.contribution::jsonb) entry
    GROUP BY i.run_id
) c
WHERE r.id = c.run_id
