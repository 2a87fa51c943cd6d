-- Dead letters that match a selection, type by type, the oldest of each first. Locks nothing.
-- Parameters: position to continue after (type, id), age in microseconds (twice; null for any), types if {types} are given, scope,
-- {filters}, limit (twice).
-- Ids are in order of time: those made a day after the age asked for end the walk. The day is for clocks that differ.
-- The type is compared as a range: were it a constant, the primary key would seem to give the order as well, at the price of all history.
WITH start AS MATERIALIZED (
    SELECT
        ?::text AS job_type, ?::uuid AS id,
        CASE WHEN ?::bigint IS NULL THEN repeat('f', 32) ELSE
            lpad(to_hex(greatest(0, floor(extract(epoch FROM now() - ?::bigint * interval '1 microsecond' + interval '1 day') * 1000))::bigint), 12, '0')
                || repeat('f', 20)
        END::uuid AS last
)
SELECT q.id, q.status, q.run_number, lane.job_type
FROM (
    SELECT t.job_type, s.last, CASE WHEN t.job_type = s.job_type THEN s.id ELSE '00000000-0000-0000-0000-000000000000' END AS id
    FROM start s CROSS JOIN {types} t
    WHERE t.job_type >= s.job_type
    ORDER BY t.job_type
) lane
CROSS JOIN LATERAL (
    SELECT q.id, q.status, q.run_number
    FROM {schema}.job_queue q
    WHERE q.status = 'DEAD_LETTERED' AND (q.job_type, q.id) > (lane.job_type, lane.id) AND (q.job_type, q.id) <= (lane.job_type, lane.last)
        AND {scope q} {filters}
    ORDER BY q.job_type, q.id
    LIMIT ?
) q
LIMIT ?
