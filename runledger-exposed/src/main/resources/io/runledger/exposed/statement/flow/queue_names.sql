-- A page of the names of queues, in order: those that job types declare, those that an operator has set something for, and those of live
-- jobs. The latter are found by going from one name to the next in the index, whatever the number of jobs.
WITH RECURSIVE live (queue) AS (
    (
        SELECT q.queue FROM {schema}.job_queue q
        WHERE q.queue IS NOT NULL AND q.finished_at IS NULL AND (:after::text IS NULL OR q.queue > :after)
        ORDER BY q.queue
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT q.queue FROM {schema}.job_queue q
        WHERE q.queue IS NOT NULL AND q.finished_at IS NULL AND q.queue > l.queue
        ORDER BY q.queue
        LIMIT 1
    )
    FROM live l WHERE l.queue IS NOT NULL
), named (queue) AS (
    (SELECT queue FROM live WHERE queue IS NOT NULL LIMIT :limit)
    UNION
    SELECT d.flow ->> 'queue' FROM {schema}.job_definitions d WHERE d.flow ->> 'queue' IS NOT NULL
    UNION
    SELECT substr(l.name, 7) FROM {schema}.limits l WHERE l.name LIKE 'queue:%'
)
SELECT n.queue FROM named n WHERE :after::text IS NULL OR n.queue > :after
ORDER BY n.queue
LIMIT :limit
