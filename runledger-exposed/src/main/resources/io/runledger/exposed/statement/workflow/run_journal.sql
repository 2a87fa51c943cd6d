-- The last events of a run, oldest first.
SELECT * FROM (
    SELECT j.*
    FROM {schema}.workflow_run_journal j
    WHERE j.workflow_run_id = :run_id AND EXISTS (SELECT FROM {schema}.workflow_runs r WHERE r.id = :run_id AND {scope r})
    ORDER BY j.id DESC
    LIMIT :limit
) last
ORDER BY id
