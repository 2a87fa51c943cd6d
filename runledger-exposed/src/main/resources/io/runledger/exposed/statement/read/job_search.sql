-- A page of jobs out of the first :most candidates in an order that an index has. {candidates} gives their id, priority and due time in that
-- order, and whether they match. The CTE is read row by row, until the page is full. If the page is not full and there are :most candidates,
-- the last of them is the place where the search stopped, in every row. A single row without a job if none matches.
WITH candidate AS MATERIALIZED (
    {candidates}
), page AS MATERIALIZED (
    SELECT c.id FROM candidate c WHERE c.matches LIMIT :limit
), stop AS MATERIALIZED (
    SELECT c.id, c.priority, c.next_run_at FROM candidate c
    WHERE (SELECT count(*) FROM page) < :limit
    OFFSET :most - 1 LIMIT 1
)
SELECT stop.id AS stop_id, stop.priority AS stop_priority, stop.next_run_at AS stop_next_run_at, job.*
FROM (SELECT) once
LEFT JOIN stop ON true
LEFT JOIN LATERAL (
    SELECT found.*
    FROM page p
    CROSS JOIN LATERAL (
        SELECT
            {fragment/summary_columns}
        FROM {schema}.job_queue q WHERE q.id = p.id OFFSET 0
    ) found
) job ON true
ORDER BY {order}
