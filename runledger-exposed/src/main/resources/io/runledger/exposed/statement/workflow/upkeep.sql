-- Whether a gate is past its deadline, or a run holds an active key that may have to be released.
SELECT
    EXISTS (SELECT FROM {schema}.workflow_active_claims)
    OR EXISTS (SELECT FROM {schema}.workflow_step_rows s WHERE s.is_open_gate AND s.expires_at <= (SELECT clock_timestamp())) AS is_due
