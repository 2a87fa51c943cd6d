-- Leases the jobs that pick_flow has locked in this transaction, and takes them from the rates of their limits. The rate counts from the start
-- of the lease, which is later than the decision of pick_flow. So what was allowed there is allowed here.
WITH picked AS MATERIALIZED (
    SELECT q.ctid AS place FROM {schema}.job_queue q WHERE q.id = ANY (:ids::uuid[])
),
{fragment/lease_picked},
spent AS (
    UPDATE {schema}.limit_keys s
    SET spent_until = greatest(s.spent_until, b.leased_at)
        + b.jobs * {schema}.rate_step_us(l.rate_period_us, l.rate_count) * interval '1 microsecond'
    FROM (
        SELECT k.limit_key, count(*) AS jobs, max(c.leased_at) AS leased_at
        FROM claimed c
        CROSS JOIN LATERAL (SELECT q.limit_keys FROM {schema}.job_queue q WHERE q.id = c.id OFFSET 0) q
        CROSS JOIN LATERAL unnest(q.limit_keys) AS k (limit_key)
        GROUP BY k.limit_key
    ) b
    JOIN {schema}.limits l ON l.name = {schema}.limit_of(b.limit_key) AND l.rate_count IS NOT NULL
    WHERE s.limit_key = b.limit_key
)
SELECT * FROM leased
