-- Cancels the steps of a run that have not ended and have no job, and sets their dependency counts to their final values: no dependency is
-- pending. The jobs of the other steps are canceled already. The number of updated rows is the number of canceled steps.
WITH stamp AS MATERIALIZED (
    SELECT clock_timestamp() AS at, :reason::text AS reason, :error_code::text AS code, :error_message::text AS message
), open AS MATERIALIZED (
    SELECT s.id, s.workflow_run_id FROM {schema}.workflow_steps s
    WHERE s.workflow_run_id = :run_id AND s.status IN ('BLOCKED', 'WAITING_FOR_EXTERNAL')
), unsatisfied AS MATERIALIZED (
    SELECT d.dependent_step_id AS id, count(*)::int AS edges
    FROM open o
    JOIN {schema}.workflow_step_dependencies d ON d.dependent_step_id = o.id
    CROSS JOIN LATERAL (SELECT status FROM {schema}.workflow_steps WHERE id = d.prerequisite_step_id OFFSET 0) p
    WHERE CASE d.release_mode
        WHEN 'ON_SUCCESS' THEN p.status <> 'SUCCEEDED' WHEN 'ON_FAILURE' THEN p.status IN ('SUCCEEDED', 'SKIPPED') ELSE false
    END
    GROUP BY d.dependent_step_id
)
UPDATE {schema}.workflow_step_rows s
SET status = 'CANCELED', status_reason = stamp.reason, last_error_code = stamp.code, last_error_message = stamp.message,
    finished_at = stamp.at, output = NULL, dependency_count_pending = 0, dependency_count_unsatisfied = coalesce(u.edges, 0),
    updated_at = now()
FROM open o LEFT JOIN unsatisfied u ON u.id = o.id CROSS JOIN stamp
WHERE s.id = o.id
