-- The causes of the newest open dead letters of an organization: those that were enqueued last, as the index of an organization's jobs
-- orders them. The index by time would pass the dead letters of all other organizations.
-- The status is compared as a range. With a constant, the planner would take the primary key for an index in the same order and read all
-- history.
WITH newest AS MATERIALIZED (
    SELECT q.id
    FROM {schema}.job_queue q
    WHERE {scope q} AND (q.status, q.id) >= ('DEAD_LETTERED', '00000000-0000-0000-0000-000000000000')
        AND (q.status, q.id) <= ('DEAD_LETTERED', 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY q.status DESC, q.id DESC
    LIMIT :read
),
{fragment/causes}
