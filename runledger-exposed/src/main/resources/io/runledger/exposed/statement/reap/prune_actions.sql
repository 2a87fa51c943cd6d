-- Deletes the records of old actions, the oldest first. Rows that another session holds are skipped. An action without an end may still
-- be running, so its record is kept for at least a day.
-- Ids are in order of time: the walk ends at ids created one day after the requested age. The day allows for clocks that differ.
WITH age AS MATERIALIZED (
    SELECT now() - :age_us::bigint * interval '1 microsecond' AS cutoff
), target AS MATERIALIZED (
    SELECT a.id FROM {schema}.operator_actions a
    WHERE a.id <= (
            lpad(to_hex(greatest(
                0, floor(extract(epoch FROM (SELECT cutoff FROM age) + interval '1 day') * 1000)
            )::bigint), 12, '0') || repeat('f', 20)
        )::uuid
        AND CASE WHEN a.finished_at IS NOT NULL THEN a.finished_at <= (SELECT cutoff FROM age)
            ELSE a.started_at <= least((SELECT cutoff FROM age), now() - interval '1 day') END
    ORDER BY a.id
    LIMIT :limit
    FOR UPDATE OF a SKIP LOCKED
)
DELETE FROM {schema}.operator_actions a USING target t WHERE a.id = t.id
