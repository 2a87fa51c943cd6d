-- Looks up awaited runs. Returns the runs that are new to the caller, have ended or do not exist.
SELECT i.id AS requested_id, r.*
FROM unnest(:run_ids::uuid[], :are_new::boolean[]) AS i (id, is_new) LEFT JOIN {schema}.workflow_runs r ON r.id = i.id
WHERE i.is_new OR r.id IS NULL OR r.status NOT IN ('RUNNING', 'WAITING_FOR_EXTERNAL')
