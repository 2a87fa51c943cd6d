-- Fires the dependencies of ended steps, each once, and decides about every step that no longer waits: the statement queues its job, opens
-- its gate, or ends it. A step ends as canceled if a dependency cannot be satisfied. It ends as skipped if a required step was skipped,
-- or if its condition is false. Returns one row per run: the number of queued jobs, the number of opened gates, and the ended steps,
-- which the caller fires next.
-- :ready_ids are steps that were reset or appended and that wait for nothing. The error code and message are those of a canceled step.
-- If the run is paused, its jobs are queued as paused and no notification is sent for them.
-- The subquery about skipped prerequisites and the condition are evaluated only for steps that need them.
-- The caller holds the lock on the run, so no other session decides about its blocked steps between the read and the write.
-- OFFSET 0 keeps the planner at one index lookup per step, whatever number of steps it estimates. Steps are found by id alone: with the run
-- id as a second condition, the planner may read the whole run for each step. ARRAY hides the number of ended steps from the planner:
-- before PostgreSQL 17 it would read the whole table for some thousands.
WITH ended AS MATERIALIZED (
    SELECT s.id, s.workflow_run_id, s.status FROM {schema}.workflow_steps s WHERE s.id = ANY (ARRAY(SELECT unnest(:ended_ids::uuid[])))
), fired AS MATERIALIZED (
    SELECT
        d.workflow_run_id, d.dependent_step_id AS id, count(*)::int AS edges,
        (count(*) FILTER (WHERE CASE d.release_mode
            WHEN 'ON_SUCCESS' THEN e.status <> 'SUCCEEDED' WHEN 'ON_FAILURE' THEN e.status IN ('SUCCEEDED', 'SKIPPED') ELSE false
        END))::int AS unsatisfied
    FROM ended e
    CROSS JOIN LATERAL (
        SELECT edge.workflow_run_id, edge.dependent_step_id, edge.release_mode FROM {schema}.workflow_step_dependencies edge
        WHERE edge.workflow_run_id = e.workflow_run_id AND edge.prerequisite_step_id = e.id
        OFFSET 0
    ) d
    GROUP BY d.workflow_run_id, d.dependent_step_id
    UNION ALL
    SELECT s.workflow_run_id, s.id, 0, 0 FROM {schema}.workflow_steps s WHERE s.id = ANY (:ready_ids::uuid[])
), paused AS MATERIALIZED (
    SELECT r.id FROM {schema}.workflow_runs r
    WHERE r.id = ANY (ARRAY(SELECT DISTINCT workflow_run_id FROM fired)) AND r.paused_at IS NOT NULL
), stamp AS MATERIALIZED (
    SELECT clock_timestamp() AS at
), decided AS MATERIALIZED (
    SELECT
        n.*, CASE WHEN n.next = 'ENQUEUED' THEN {schema}.uuidv7() END AS new_job_id,
        CASE WHEN n.next IN ('ENQUEUED', 'WAITING_FOR_EXTERNAL') THEN stamp.at END AS new_released_at,
        CASE WHEN n.next IN ('CANCELED', 'SKIPPED') THEN stamp.at END AS new_finished_at
    FROM (
        SELECT
            s.id, s.workflow_run_id, s.organization_id, s.job_type, s.payload, s.priority, s.max_attempts, s.timeout_seconds, s.stage,
            s.delay_seconds, s.expires_after_seconds, s.retry_policy, f.edges, f.unsatisfied,
            CASE
                WHEN s.status <> 'BLOCKED' OR s.dependency_count_pending > f.edges THEN NULL
                WHEN s.dependency_count_unsatisfied + f.unsatisfied > 0 THEN CASE WHEN (
                    SELECT bool_or(CASE edge.release_mode
                        WHEN 'ON_SUCCESS' THEN p.status IN ('FAILED', 'CANCELED') WHEN 'ON_FAILURE' THEN p.status = 'SUCCEEDED' ELSE false
                    END)
                    FROM {schema}.workflow_step_dependencies edge
                    CROSS JOIN LATERAL (SELECT status FROM {schema}.workflow_steps WHERE id = edge.prerequisite_step_id OFFSET 0) p
                    WHERE edge.dependent_step_id = s.id
                ) THEN 'CANCELED' ELSE 'SKIPPED' END
                WHEN s.condition IS NOT NULL AND NOT {schema}.workflow_condition_holds(s.workflow_run_id, s.condition) THEN 'SKIPPED'
                WHEN s.execution_kind = 'JOB' THEN 'ENQUEUED'
                ELSE 'WAITING_FOR_EXTERNAL'
            END AS next
        FROM fired f CROSS JOIN LATERAL (SELECT * FROM {schema}.workflow_steps WHERE id = f.id OFFSET 0) s
        ORDER BY s.workflow_run_id, s.ordinal
    ) n CROSS JOIN stamp
), new_job AS (
    SELECT
        new_job_id AS id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, new_released_at AS created_at,
        new_released_at AS updated_at, new_released_at + coalesce(delay_seconds, 0) * interval '1 second' AS next_run_at, true AS is_step,
        workflow_run_id = ANY (ARRAY(SELECT id FROM paused)) AS is_paused, stage, retry_policy
    FROM decided WHERE next = 'ENQUEUED'
), job AS (
    {fragment/insert_job}
    RETURNING job_type, next_run_at, is_paused
), step AS (
    UPDATE {schema}.workflow_steps s
    SET dependency_count_pending = s.dependency_count_pending - d.edges,
        dependency_count_unsatisfied = s.dependency_count_unsatisfied + d.unsatisfied,
        status = coalesce(d.next::{schema}.workflow_step_status, s.status),
        job_id = coalesce(d.new_job_id, s.job_id),
        released_at = coalesce(s.released_at, d.new_released_at),
        expires_at = coalesce(d.new_released_at + d.expires_after_seconds * interval '1 second', s.expires_at),
        finished_at = coalesce(s.finished_at, d.new_finished_at),
        status_reason = CASE d.next
            WHEN 'CANCELED' THEN p.code
            WHEN 'SKIPPED' THEN
                CASE WHEN s.dependency_count_unsatisfied + d.unsatisfied > 0 THEN 'PREREQUISITE_SKIPPED' ELSE 'CONDITION_FALSE' END
            ELSE s.status_reason
        END,
        last_error_code = CASE d.next WHEN 'CANCELED' THEN p.code ELSE s.last_error_code END,
        last_error_message = CASE d.next WHEN 'CANCELED' THEN p.message ELSE s.last_error_message END,
        updated_at = now()
    FROM decided d CROSS JOIN (SELECT :error_code::text AS code, :error_message::text AS message) p
    WHERE s.id = d.id
), notified AS (
    SELECT pg_notify({channel}, t.message)
    FROM (
        SELECT 'j:' || job_type AS message FROM job WHERE next_run_at <= clock_timestamp() AND NOT is_paused
        UNION
        SELECT 'g:' || workflow_run_id FROM decided WHERE next = 'WAITING_FOR_EXTERNAL'
    ) t
    WHERE {signals}
)
SELECT
    d.workflow_run_id, count(*) FILTER (WHERE d.next = 'ENQUEUED') AS enqueued,
    count(*) FILTER (WHERE d.next = 'WAITING_FOR_EXTERNAL') AS opened,
    array_agg(d.id) FILTER (WHERE d.next IN ('CANCELED', 'SKIPPED')) AS ended,
    (SELECT count(*) FROM notified) AS notified
FROM decided d
WHERE d.next IS NOT NULL
GROUP BY d.workflow_run_id
