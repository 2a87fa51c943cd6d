-- Reads the outcomes and outputs of the prerequisites of a job's step, in the order in which they were declared.
SELECT p.step_key, p.status, p.output, d.input_name
FROM {schema}.workflow_step_rows s
JOIN {schema}.workflow_step_dependencies d ON d.dependent_step_id = s.id
JOIN {schema}.workflow_steps p ON p.id = d.prerequisite_step_id
WHERE s.job_id = :job_id
ORDER BY p.ordinal
