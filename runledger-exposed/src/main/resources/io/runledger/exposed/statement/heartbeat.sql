-- Renews leases. Answers with one row per lease: whether it was renewed, and if not, whether somebody holds the row just now, or the
-- job was canceled. Parameters: job ids, lease ids, lease in seconds.
-- Rows that somebody holds are skipped: a foreign lock on one job must not keep all the others from being renewed. What was skipped is
-- read as it was last committed; where the lease still stands there, unexpired, the row is busy, and whoever asks again learns more.
-- Every other named row is locked, ours or not, because only a locked row is read as it is now; its expiry is judged by the real clock.
-- ARRAY keeps the planner on the primary key whatever it thinks of the CTEs.
WITH input AS (
    SELECT * FROM unnest(?::uuid[], ?::uuid[]) AS i (id, lease_id)
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
    SET lease_expires_at = clock_timestamp() + ? * interval '1 second', last_heartbeat_at = clock_timestamp(), updated_at = now()
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
