-- How many jobs of one status an operation on a selection would change, at most :most, and the first :sample of them. One row per job of the
-- sample, with the counts in every row; a single row without a job if none is wanted.
-- {selection} is the statement by which the operation selects, without the conditions that its index does not decide, so :limit bounds the
-- jobs that are read. {filters} holds the conditions. Candidates are read until :most of them meet the conditions: the CTEs are read row by
-- row, and the CASE counts the candidates only if they were all read. is_cut says that the bound ended the count.
WITH candidate AS MATERIALIZED (
    {selection}
), wanted AS MATERIALIZED (
    SELECT c.id
    FROM candidate c
    CROSS JOIN LATERAL (SELECT FROM {schema}.job_queue q WHERE q.id = c.id AND {scope q} {filters} OFFSET 0) q
    LIMIT :most
), counted AS MATERIALIZED (
    SELECT count(*) AS jobs FROM wanted
)
SELECT
    counted.jobs, CASE WHEN counted.jobs < :most THEN (SELECT count(*) FROM candidate) >= :limit ELSE false END AS is_cut, sample.*
FROM counted
LEFT JOIN LATERAL (
    SELECT job.*
    FROM (SELECT w.id FROM wanted w LIMIT :sample) w
    CROSS JOIN LATERAL (
        SELECT
            {fragment/summary_columns}
        FROM {schema}.job_queue q WHERE q.id = w.id OFFSET 0
    ) job
) sample ON true
