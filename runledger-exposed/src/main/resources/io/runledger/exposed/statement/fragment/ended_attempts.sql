-- Two CTEs: the window of time, and the attempts that ended in it, at most :most. If there are :most, the window has too many.
-- The bounds come from a subquery, whose values the planner does not know. It then expects few rows and reads the block-range index. With
-- known values it would prefer a sequential scan for a long window, and read all history before the first row.
span AS MATERIALIZED (
    SELECT t.at AS until, t.at - :window_us::bigint * interval '1 microsecond' AS since FROM (SELECT clock_timestamp() AS at) t
), ended AS MATERIALIZED (
    SELECT a.job_id, a.finished_at, a.outcome, a.retry_delay_ms, a.error_code
    FROM {schema}.job_attempts a
    WHERE a.finished_at >= (SELECT since FROM span) AND a.finished_at <= (SELECT until FROM span)
    LIMIT :most
)
