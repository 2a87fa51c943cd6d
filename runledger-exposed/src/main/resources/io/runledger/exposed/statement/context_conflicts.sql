-- Which of the contributions say something else about a name that the context of their run has already: their places, and those names.
-- Parameters: runs, contributions. The runs are locked.
SELECT i.place, array_agg(said.key ORDER BY said.key) AS names
FROM unnest(?::uuid[], ?::text[]) WITH ORDINALITY AS i (run_id, contribution, place)
JOIN {schema}.workflow_runs r ON r.id = i.run_id
CROSS JOIN LATERAL jsonb_each(i.contribution::jsonb) said
WHERE r.context -> said.key <> said.value
GROUP BY i.place
