-- Reads both directions: the recovery that made the run, and the last recoveries of the run. Returns no row if the run does not exist, and
-- a row of nulls if there are no recoveries.
SELECT v.*
FROM {schema}.workflow_runs r
LEFT JOIN LATERAL (
    SELECT w.* FROM {schema}.workflow_recoveries w WHERE w.recovery_run_id = r.id
    UNION ALL
    (
        SELECT w.* FROM {schema}.workflow_recoveries w WHERE w.source_run_id = r.id
        ORDER BY w.created_at DESC, w.recovery_run_id DESC
        LIMIT :limit
    )
) v ON true
WHERE r.id = :run_id AND {scope r}
