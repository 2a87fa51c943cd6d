-- Jobs of an organization, or that failed with a code, and match a selection, the oldest first. Each of the two has an index that goes
-- on with status and id. Locks nothing.
-- Parameters: status and id to continue after, the status again, age in microseconds (twice; null for any), scope, {filters}, limit.
-- Ids are in order of time: those made a day after the age asked for end the walk. The day is for clocks that differ.
-- The status is compared as a range: were it a constant, the primary key would seem to give the order as well, at the price of all history.
SELECT q.id, q.status, q.run_number
FROM {schema}.job_queue q
WHERE (q.status, q.id) > (?::{schema}.job_status, ?::uuid)
    AND (q.status, q.id) <= (
        ?::{schema}.job_status,
        CASE WHEN ?::bigint IS NULL THEN repeat('f', 32) ELSE
            lpad(to_hex(greatest(0, floor(extract(epoch FROM now() - ?::bigint * interval '1 microsecond' + interval '1 day') * 1000))::bigint), 12, '0')
                || repeat('f', 20)
        END::uuid
    )
    AND {scope q} {filters}
ORDER BY q.status, q.id
LIMIT ?
