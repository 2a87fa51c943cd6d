-- Both directions: what the run does again, and the last of what does it again. No row at all when there is no such run; a row of
-- nulls when it has neither. Parameters: limit, run, scope.
SELECT v.*
FROM {schema}.workflow_runs r
LEFT JOIN LATERAL (
    SELECT w.* FROM {schema}.workflow_recoveries w WHERE w.recovery_run_id = r.id
    UNION ALL
    (
        SELECT w.* FROM {schema}.workflow_recoveries w WHERE w.source_run_id = r.id
        ORDER BY w.created_at DESC, w.recovery_run_id DESC
        LIMIT ?
    )
) v ON true
WHERE r.id = ? AND {scope r}
