-- Renews leases. Returns one row per lease: the new expiry if the lease was renewed, otherwise whether another session holds the row or
-- the job was canceled.
-- A row that another session holds is skipped, so that a lock on one job does not keep the other leases from being renewed. A skipped row
-- is read as last committed. If it still has the lease, unexpired, the row is busy and the caller can try again.
-- Every other given row is locked, whether or not it still has the given lease, because only a locked row is read in its current version.
-- The expiry is compared with the real clock. ARRAY keeps the planner on the primary key, whatever it estimates for the CTEs.
WITH input AS (
    SELECT * FROM unnest(:job_ids::uuid[], :lease_ids::uuid[]) AS i (id, lease_id)
), held AS MATERIALIZED (
    SELECT q.id, q.lease_id, q.status, q.lease_expires_at
    FROM {schema}.job_queue q
    WHERE q.id = ANY (ARRAY(SELECT id FROM input))
    ORDER BY q.id
    FOR NO KEY UPDATE OF q SKIP LOCKED
), skipped AS MATERIALIZED (
    SELECT q.id, q.lease_id, q.status, q.lease_expires_at
    FROM {schema}.job_queue q
    WHERE q.id = ANY (ARRAY(SELECT id FROM input EXCEPT SELECT id FROM held))
), renewed AS (
    UPDATE {schema}.job_queue q
    SET lease_expires_at = clock_timestamp() + :lease_seconds * interval '1 second', last_heartbeat_at = clock_timestamp(),
        updated_at = now()
    WHERE q.id = ANY (ARRAY(
        SELECT h.id FROM held h JOIN input i ON i.id = h.id AND i.lease_id = h.lease_id
        WHERE h.status = 'LEASED' AND h.lease_expires_at > clock_timestamp()
    ))
    RETURNING q.id, q.lease_id, q.lease_expires_at
)
SELECT
    i.id, i.lease_id, r.lease_expires_at, coalesce(h.status, s.status) = 'CANCELED' AS is_canceled,
    s.lease_id = i.lease_id AND s.status = 'LEASED' AND s.lease_expires_at > clock_timestamp() AS is_busy
FROM input i
LEFT JOIN renewed r ON r.id = i.id AND r.lease_id = i.lease_id
LEFT JOIN held h ON h.id = i.id
LEFT JOIN skipped s ON s.id = i.id
