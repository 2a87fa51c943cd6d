-- A page of the steps of a run. If the limit is null, all that follow.
SELECT s.*
FROM {schema}.workflow_steps s
WHERE s.workflow_run_id = :run_id AND EXISTS (SELECT FROM {schema}.workflow_runs r WHERE r.id = :run_id AND {scope r})
    AND (s.ordinal, s.id) > (:after_ordinal, :after_id)
ORDER BY s.ordinal, s.id
LIMIT :limit
