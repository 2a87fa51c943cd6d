INSERT INTO {schema}.workflow_step_dependencies (workflow_run_id, prerequisite_step_id, dependent_step_id, release_mode, input_name)
SELECT e.run_id, e.prerequisite, e.dependent, e.mode::{schema}.workflow_dependency_release_mode, e.input
FROM unnest(:run_ids::uuid[], :prerequisites::uuid[], :dependents::uuid[], :modes::text[], :input_names::text[])
    AS e (run_id, prerequisite, dependent, mode, input)
