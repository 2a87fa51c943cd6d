-- The payload that an action replaced in a step, and whether the step was edited or reset since.
SELECT
    j.payload -> 'previous_payload' AS previous_payload,
    EXISTS (
        SELECT FROM {schema}.workflow_step_journal l
        WHERE l.workflow_run_id = j.workflow_run_id AND l.step_id = j.step_id AND l.id > j.id AND l.event_type IN ('EDITED', 'RESET')
    ) AS is_changed_since
FROM {schema}.workflow_step_journal j
WHERE j.workflow_run_id = :run_id AND j.event_type = 'EDITED' AND j.payload ->> 'action' = :action_id::uuid::text
