-- A page of the dependencies of a run. If the limit is null, all that follow.
SELECT d.*
FROM {schema}.workflow_step_dependencies d
WHERE d.workflow_run_id = :run_id AND EXISTS (SELECT FROM {schema}.workflow_runs r WHERE r.id = :run_id AND {scope r})
    AND (d.prerequisite_step_id, d.dependent_step_id) > (:after_prerequisite, :after_dependent)
ORDER BY d.prerequisite_step_id, d.dependent_step_id
LIMIT :limit
