-- The effect of each contribution, taken alone, on the context of its run: the names that the context has with another value, if the
-- workflow refuses that; the size of the contribution; and the size of the resulting context. place is the position in the arrays.
-- Up to :max_bytes the sum of both sizes is used as the resulting size. The caller holds the locks of the runs. A context is serialized
-- once for its size, and once more for each contribution that may not fit.
WITH input AS (
    SELECT run_id, contribution::jsonb AS contribution, place
    FROM unnest(:run_ids::uuid[], :contributions::text[]) WITH ORDINALITY AS i (run_id, contribution, place)
), run AS MATERIALIZED (
    SELECT r.id, r.context, r.context_merge, octet_length(r.context::text) AS bytes
    FROM {schema}.workflow_runs r
    WHERE r.id = ANY (SELECT run_id FROM input)
)
SELECT
    i.place, size.bytes AS own_bytes,
    CASE
        WHEN r.bytes + size.bytes <= :max_bytes::int THEN r.bytes + size.bytes
        WHEN r.context_merge = 'REPLACE' THEN octet_length((r.context || i.contribution)::text)
        ELSE octet_length((i.contribution || r.context)::text)
    END AS total_bytes,
    CASE WHEN r.context_merge = 'REFUSE' THEN (
        SELECT array_agg(entry.key ORDER BY entry.key) FROM jsonb_each(i.contribution) entry WHERE r.context -> entry.key <> entry.value
    ) END AS names
FROM input i
JOIN run r ON r.id = i.run_id
CROSS JOIN LATERAL (SELECT octet_length(i.contribution::text) AS bytes) size
