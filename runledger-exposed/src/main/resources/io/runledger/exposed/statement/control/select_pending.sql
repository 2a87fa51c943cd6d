-- Waiting jobs that match a selection, in the order of the index that claims read: type, paused, delayed, priority, due time. Takes no
-- locks. The :after parameters give the position to continue after.
-- Delayed jobs come first: if a row is changed after its job has become due, it moves among the jobs that are not delayed, which are still
-- to be read. Jobs with and without flow are in an index each, and are merged. As in claim, level goes through the distinct priorities of a type by skipping from one to the next. Each of them is read in
-- order from the position on, so nothing is sorted, and the next batch reads nothing again.
WITH start AS MATERIALIZED (
    SELECT
        :after_type::text AS job_type, :after_paused::bool AS is_paused, :after_delayed::bool AS is_delayed,
        :after_priority::int AS priority, :after_time::timestamptz AS at, :after_id::uuid AS id
)
SELECT q.id, q.status, q.run_number, lane.job_type, lane.is_paused, lane.is_delayed, level.priority, q.next_run_at::text AS at
FROM (
    SELECT
        t.job_type, p.is_paused, p.is_delayed, s.priority, s.at, s.id,
        t.job_type = s.job_type AND p.is_paused = s.is_paused AND p.is_delayed = s.is_delayed AS is_first
    FROM start s
    CROSS JOIN {types} t
    CROSS JOIN (VALUES (false, true), (false, false), (true, true), (true, false)) AS p (is_paused, is_delayed)
    WHERE (t.job_type, p.is_paused, NOT p.is_delayed) >= (s.job_type, s.is_paused, NOT s.is_delayed)
    ORDER BY t.job_type, p.is_paused, p.is_delayed DESC
) lane
CROSS JOIN LATERAL (
    WITH RECURSIVE level AS (
        SELECT greatest(
            (
                SELECT q.priority FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND q.job_type = lane.job_type AND q.is_paused = lane.is_paused
                    AND q.is_delayed = lane.is_delayed
                    AND q.priority <= CASE WHEN lane.is_first THEN lane.priority ELSE 2147483647 END
                ORDER BY q.priority DESC LIMIT 1
            ),
            (
                SELECT q.priority FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND q.job_type = lane.job_type
                    AND q.is_paused = lane.is_paused AND q.is_delayed = lane.is_delayed
                    AND q.priority <= CASE WHEN lane.is_first THEN lane.priority ELSE 2147483647 END
                ORDER BY q.priority DESC LIMIT 1
            )
        ) AS priority
        UNION ALL
        SELECT greatest(
            (
                SELECT q.priority FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND q.job_type = lane.job_type AND q.is_paused = lane.is_paused
                    AND q.is_delayed = lane.is_delayed
                    AND q.priority < l.priority
                ORDER BY q.priority DESC LIMIT 1
            ),
            (
                SELECT q.priority FROM {schema}.job_queue q
                WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND q.job_type = lane.job_type
                    AND q.is_paused = lane.is_paused AND q.is_delayed = lane.is_delayed
                    AND q.priority < l.priority
                ORDER BY q.priority DESC LIMIT 1
            )
        )
        FROM level l
        WHERE l.priority IS NOT NULL
    )
    SELECT l.priority, lane.is_first AND l.priority = lane.priority AS is_first FROM level l WHERE l.priority IS NOT NULL
) level
CROSS JOIN LATERAL (
    SELECT one.* FROM (
        (
            SELECT q.id, q.status, q.run_number, q.next_run_at
            FROM {schema}.job_queue q
            WHERE q.status = 'PENDING' AND q.flow_group IS NULL AND q.job_type = lane.job_type AND q.is_paused = lane.is_paused
                AND q.is_delayed = lane.is_delayed AND q.priority = level.priority AND (q.next_run_at, q.id) > (
                    CASE WHEN level.is_first THEN lane.at ELSE '-infinity' END,
                    CASE WHEN level.is_first THEN lane.id ELSE '00000000-0000-0000-0000-000000000000' END
                )
                AND {scope q} {filters}
            ORDER BY q.next_run_at, q.id
            LIMIT :limit
        )
        UNION ALL
        (
            SELECT q.id, q.status, q.run_number, q.next_run_at
            FROM {schema}.job_queue q
            WHERE q.status = 'PENDING' AND q.flow_group IS NOT NULL AND q.job_type = lane.job_type AND q.is_paused = lane.is_paused
                AND q.is_delayed = lane.is_delayed AND q.priority = level.priority AND (q.next_run_at, q.id) > (
                    CASE WHEN level.is_first THEN lane.at ELSE '-infinity' END,
                    CASE WHEN level.is_first THEN lane.id ELSE '00000000-0000-0000-0000-000000000000' END
                )
                AND {scope q} {filters}
            ORDER BY q.next_run_at, q.id
            LIMIT :limit
        )
    ) one
    ORDER BY one.next_run_at, one.id
    LIMIT :limit
) q
LIMIT :limit
