-- Reads the status of the named steps of a run, and the highest ordinal in use.
SELECT s.id, s.step_key, s.status, s.execution_kind,
    (SELECT max(o.ordinal) FROM {schema}.workflow_step_rows o WHERE o.workflow_run_id = :run_id) AS last_ordinal
FROM {schema}.workflow_steps s WHERE s.workflow_run_id = :run_id AND s.step_key = ANY (:step_keys::text[])
