INSERT INTO {schema}.workflow_recoveries (recovery_run_id, source_run_id, source_step_id, mode, request_key, reason)
VALUES (:recovery_run_id, :source_run_id, :source_step_id, 'FULL_REPLAY', :request_key, :reason)
