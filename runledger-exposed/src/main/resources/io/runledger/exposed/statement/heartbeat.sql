-- Renews leases. Answers with one row per lease: whether it was renewed, and if not, whether the job was canceled.
-- Parameters: job ids, lease ids, lease in seconds.
-- Rows are locked in id order, so that batches never deadlock; the expiry is judged by the real clock after the wait for the lock,
-- so a lease that ran out meanwhile is not revived. Every named row is locked, ours or not, because only a locked row is read as it
-- is now: a job canceled while this statement waited must be told from one that was taken over.
-- ARRAY keeps the planner on the primary key whatever it thinks of the CTEs.
WITH input AS (
    SELECT * FROM unnest(?::uuid[], ?::uuid[]) AS i (id, lease_id)
), held AS MATERIALIZED (
    SELECT q.id, q.lease_id, q.status, q.lease_expires_at
    FROM {schema}.job_queue q
    WHERE q.id = ANY (ARRAY(SELECT id FROM input))
    ORDER BY q.id
    FOR NO KEY UPDATE OF q
), renewed AS (
    UPDATE {schema}.job_queue q
    SET lease_expires_at = clock_timestamp() + ? * interval '1 second', last_heartbeat_at = clock_timestamp(), updated_at = now()
    WHERE q.id = ANY (ARRAY(
        SELECT h.id FROM held h JOIN input i ON i.id = h.id AND i.lease_id = h.lease_id
        WHERE h.status = 'LEASED' AND h.lease_expires_at > clock_timestamp()
    ))
    RETURNING q.id, q.lease_id, q.lease_expires_at
)
SELECT i.id, i.lease_id, r.lease_expires_at, h.status = 'CANCELED' AS is_canceled
FROM input i
LEFT JOIN renewed r ON r.id = i.id AND r.lease_id = i.lease_id
LEFT JOIN held h ON h.id = i.id
