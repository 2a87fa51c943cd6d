-- The causes of the newest open dead letters of the ledger, and how many of them were read. Only those in the scope are grouped. The newest
-- are found in the index of open dead letters by the time they gave up, without reading rows.
WITH newest AS MATERIALIZED (
    SELECT q.id FROM {schema}.job_queue q WHERE q.status = 'DEAD_LETTERED' ORDER BY q.finished_at DESC, q.id DESC LIMIT :read
),
{fragment/causes}
