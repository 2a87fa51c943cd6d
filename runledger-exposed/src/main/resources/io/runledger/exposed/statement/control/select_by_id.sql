-- Jobs that match a selection by organization or by error code, the oldest first. Each of the two has an index that continues with status
-- and id. Takes no locks. The position to continue after is :status and :after_id; a null :age_us means any age.
-- Ids are in order of time: the walk ends at ids created one day after the requested age. The day allows for clocks that differ.
-- The status is compared as a range. With a constant, the planner would take the primary key for an index in the same order and read all
-- history.
SELECT q.id, q.status, q.run_number
FROM {schema}.job_queue q
WHERE (q.status, q.id) > (:status::{schema}.job_status, :after_id::uuid)
    AND (q.status, q.id) <= (
        :status::{schema}.job_status,
        CASE WHEN :age_us::bigint IS NULL THEN repeat('f', 32) ELSE
            lpad(to_hex(greatest(
                0, floor(extract(epoch FROM now() - :age_us::bigint * interval '1 microsecond' + interval '1 day') * 1000)
            )::bigint), 12, '0') || repeat('f', 20)
        END::uuid
    )
    AND {scope q} {filters}
ORDER BY q.status, q.id
LIMIT :limit
