-- Dead letters that match a selection, type by type, the oldest of each type first. Takes no locks. The position to continue after is
-- :after_type and :after_id; a null :age_us means any age.
-- Ids are in order of time: the walk ends at ids created one day after the requested age. The day allows for clocks that differ.
-- The type is compared as a range. With a constant, the planner would take the primary key for an index in the same order and read all
-- history.
WITH start AS MATERIALIZED (
    SELECT
        :after_type::text AS job_type, :after_id::uuid AS id,
        CASE WHEN :age_us::bigint IS NULL THEN repeat('f', 32) ELSE
            lpad(to_hex(greatest(
                0, floor(extract(epoch FROM now() - :age_us::bigint * interval '1 microsecond' + interval '1 day') * 1000)
            )::bigint), 12, '0') || repeat('f', 20)
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
    LIMIT :limit
) q
LIMIT :limit
