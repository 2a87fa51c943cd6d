-- What contributions would do to the contexts of their runs, each on its own: the names that a context has with another value, where its
-- workflow refuses that; how large the contribution is, and how large the context would be. Answers by place.
-- Parameters: runs, contributions; the size up to which a sum is close enough. The runs are locked. A context is written out once for its
-- size, and once more for each contribution that may not fit.
WITH input AS (
    SELECT run_id, contribution::jsonb AS contribution, place
    FROM unnest(?::uuid[], ?::text[]) WITH ORDINALITY AS i (run_id, contribution, place)
), run AS MATERIALIZED (
    SELECT r.id, r.context, r.context_merge, octet_length(r.context::text) AS bytes
    FROM {schema}.workflow_runs r
    WHERE r.id = ANY (SELECT run_id FROM input)
)
SELECT
    i.place, size.bytes AS own_bytes,
    CASE
        WHEN r.bytes + size.bytes <= ?::int THEN r.bytes + size.bytes
        WHEN r.context_merge = 'REPLACE' THEN octet_length((r.context || i.contribution)::text)
        ELSE octet_length((i.contribution || r.context)::text)
    END AS total_bytes,
    CASE WHEN r.context_merge = 'REFUSE' THEN (
        SELECT array_agg(said.key ORDER BY said.key) FROM jsonb_each(i.contribution) said WHERE r.context -> said.key <> said.value
    ) END AS names
FROM input i
JOIN run r ON r.id = i.run_id
CROSS JOIN LATERAL (SELECT octet_length(i.contribution::text) AS bytes) size
