-- The last changes of a run, oldest first.
SELECT * FROM (
    SELECT m.*
    FROM {schema}.workflow_run_mutations m
    WHERE m.workflow_run_id = :run_id AND EXISTS (SELECT FROM {schema}.workflow_runs r WHERE r.id = :run_id AND {scope r})
    ORDER BY m.created_at DESC, m.id DESC
    LIMIT :limit
) last
ORDER BY created_at, id
