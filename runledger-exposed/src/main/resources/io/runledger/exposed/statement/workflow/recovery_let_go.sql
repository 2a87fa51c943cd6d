-- The dead letters of a run that is repeated no longer hold the jobs behind them in their orders: the repeated steps are among these. The
-- caller holds the lock on the run.
UPDATE {schema}.job_queue q
SET holds_order = false, updated_at = now()
WHERE q.id = ANY (ARRAY(SELECT s.job_id FROM {schema}.workflow_step_rows s WHERE s.workflow_run_id = :run_id AND s.flow -> 'order' IS NOT NULL))
    AND q.status = 'DEAD_LETTERED' AND q.holds_order
