-- The number of steps of each run. The count of a run stops at :limit.
SELECT r.id, (
    SELECT count(*) FROM (SELECT FROM {schema}.workflow_step_rows s WHERE s.workflow_run_id = r.id LIMIT :limit) steps
) AS steps
FROM {schema}.workflow_runs r
WHERE r.id = ANY (:run_ids) AND {scope r}
