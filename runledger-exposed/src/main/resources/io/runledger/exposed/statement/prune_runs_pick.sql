-- Picks ended runs that are old enough and locks them; rows that somebody holds are skipped. A run that still holds an active key stays,
-- and so does a recovery whose source stays. Parameters: age in microseconds, position to go on from, statuses, limit.
-- The walk along the primary key ends at ids made a day after the age asked for; the day is for clocks that differ.
WITH age AS MATERIALIZED (
    SELECT now() - ?::bigint * interval '1 microsecond' AS cutoff
), picked AS MATERIALIZED (
    SELECT r.id
    FROM {schema}.workflow_runs r
    WHERE r.id > ? AND r.id <= (
            SELECT (
                lpad(to_hex(greatest(0, floor(extract(epoch FROM cutoff + interval '1 day') * 1000))::bigint), 12, '0')
                || repeat('f', 20)
            )::uuid
            FROM age
        )
        AND r.status = ANY (?::text[]::{schema}.workflow_run_status[]) AND r.finished_at <= (SELECT cutoff FROM age)
        AND NOT EXISTS (SELECT FROM {schema}.workflow_active_claims a WHERE a.workflow_run_id = r.id)
    ORDER BY r.id
    LIMIT ?
    FOR UPDATE OF r SKIP LOCKED
)
SELECT
    p.id,
    NOT EXISTS (
        SELECT FROM {schema}.workflow_recoveries v
        WHERE v.recovery_run_id = p.id AND NOT EXISTS (SELECT FROM picked s WHERE s.id = v.source_run_id)
    ) AS may_go
FROM picked p
ORDER BY p.id
