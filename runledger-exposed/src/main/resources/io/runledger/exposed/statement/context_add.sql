-- Adds to the contexts of runs what steps contributed, as each run's rule has it; of several contributions to one run the later counts
-- as said later. Parameters: runs, contributions. The runs are locked.
UPDATE {schema}.workflow_runs r
SET context = CASE r.context_merge WHEN 'REPLACE' THEN r.context || c.last ELSE c.first || r.context END, updated_at = now()
FROM (
    SELECT
        i.run_id, jsonb_object_agg(said.key, said.value ORDER BY i.place) AS last,
        jsonb_object_agg(said.key, said.value ORDER BY i.place DESC) AS first
    FROM unnest(?::uuid[], ?::text[]) WITH ORDINALITY AS i (run_id, contribution, place)
    CROSS JOIN LATERAL jsonb_each(i.contribution::jsonb) said
    GROUP BY i.run_id
) c
WHERE r.id = c.run_id
