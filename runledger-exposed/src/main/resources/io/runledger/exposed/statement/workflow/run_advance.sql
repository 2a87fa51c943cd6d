-- Advances runs after steps have ended. Fires the dependencies of the ended steps, each once, and decides about every step that no longer
-- waits: the statement queues its job, opens its gate, or ends it. A step ends as canceled if a dependency cannot be satisfied. It ends as
-- skipped if a required step was skipped, or if its condition is false. Then the statement adds the given changes and its own to the step
-- counters of the runs, once per run, and derives their status. If a run ends, it stores the result, releases the active key unless a
-- canceled handler may still be running, clears the pause, and sends a notification.
-- Returns the steps that it ended, with their run and status: the caller advances the runs once more for these.
-- :ended_statuses is how each of :ended_ids ended. :ready_ids are steps that were reset or appended and that wait for nothing. The error
-- code and message are those of a canceled step. A reason cancels its run; it is null for a run that is not canceled.
-- A step whose job exists is released: its row is not written, at the release or later, and a dependency that fires again after a reset has
-- no effect on it. If the run is paused, its jobs are queued as paused and no notification is sent for them.
-- The subquery about skipped prerequisites and the condition are evaluated only for steps that need them.
-- A job has the headers of its run and its step. :headers, which is null for most calls, is added to the jobs that this call releases. The
-- headers of the run are looked up only if a run has any.
-- The caller holds the lock on the run, so no other session decides about its blocked steps between the read and the write.
-- OFFSET 0 keeps the planner at one index lookup per step, whatever number of steps it estimates. Steps are found by id alone: with the run
-- id as a second condition, the planner may read the whole run for each step. ARRAY keeps the planner on the indexes, whatever number of
-- runs it estimates.
WITH fired AS MATERIALIZED (
    SELECT
        d.dependent_step_id AS id, count(*)::int AS edges,
        (count(*) FILTER (WHERE CASE d.release_mode
            WHEN 'ON_SUCCESS' THEN e.status <> 'SUCCEEDED' WHEN 'ON_FAILURE' THEN e.status IN ('SUCCEEDED', 'SKIPPED') ELSE false
        END))::int AS unsatisfied
    FROM unnest(:ended_runs::uuid[], :ended_ids::uuid[], :ended_statuses::text[]) AS e (run_id, id, status)
    CROSS JOIN LATERAL (
        SELECT edge.dependent_step_id, edge.release_mode FROM {schema}.workflow_step_dependencies edge
        WHERE edge.workflow_run_id = e.run_id AND edge.prerequisite_step_id = e.id
        OFFSET 0
    ) d
    GROUP BY d.dependent_step_id
    UNION ALL
    SELECT r.id, 0, 0 FROM unnest(:ready_ids::uuid[]) AS r (id)
), stamp AS MATERIALIZED (
    SELECT clock_timestamp() AS at
), decided AS MATERIALIZED (
    SELECT
        s.id, s.workflow_run_id, s.organization_id, s.job_id, s.job_type, s.payload, s.priority, s.max_attempts, s.timeout_seconds, s.stage,
        s.delay_seconds, s.expires_after_seconds, s.retry_policy, s.headers, s.flow, f.edges, f.unsatisfied, stamp.at,
        CASE
            WHEN s.dependency_count_pending > f.edges THEN NULL
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
    FROM fired f
    CROSS JOIN LATERAL (SELECT * FROM {schema}.workflow_step_rows WHERE id = f.id OFFSET 0) s
    CROSS JOIN stamp
    WHERE s.status = 'BLOCKED' AND (SELECT q.id FROM {schema}.job_queue q WHERE q.id = s.job_id) IS NULL
    ORDER BY s.workflow_run_id, s.ordinal
), change AS MATERIALIZED (
    SELECT
        c.id, sum(c.open_steps)::int AS open_steps, sum(c.active_steps)::int AS active_steps, sum(c.waiting_steps)::int AS waiting_steps,
        sum(c.error_steps)::int AS error_steps, max(c.reason) AS reason
    FROM (
        SELECT * FROM unnest(:run_ids::uuid[], :open_steps::int[], :active_steps::int[], :waiting_steps::int[], :error_steps::int[],
                :reasons::text[])
            AS c (id, open_steps, active_steps, waiting_steps, error_steps, reason)
        UNION ALL
        SELECT
            workflow_run_id, -(count(*) FILTER (WHERE next IN ('CANCELED', 'SKIPPED'))), count(*) FILTER (WHERE next = 'ENQUEUED'),
            count(*) FILTER (WHERE next = 'WAITING_FOR_EXTERNAL'), 0, NULL
        FROM decided WHERE next IS NOT NULL
        GROUP BY workflow_run_id
    ) c
    GROUP BY c.id
), run AS MATERIALIZED (
    SELECT
        n.*,
        CASE
            WHEN n.reason IS NOT NULL OR n.before = 'CANCELED' THEN 'CANCELED'
            WHEN n.active_steps > 0 THEN 'RUNNING'
            WHEN n.waiting_steps > 0 THEN 'WAITING_FOR_EXTERNAL'
            WHEN n.open_steps > 0 THEN 'RUNNING'
            WHEN n.error_steps > 0 THEN 'COMPLETED_WITH_ERRORS'
            ELSE 'SUCCEEDED'
        END::{schema}.workflow_run_status AS status
    FROM (
        SELECT
            r.id, c.reason, r.status AS before, r.paused_at IS NOT NULL AS is_paused, r.headers IS NOT NULL AS has_headers,
            r.open_steps + c.open_steps AS open_steps,
            r.active_steps + c.active_steps AS active_steps, r.waiting_steps + c.waiting_steps AS waiting_steps,
            r.error_steps + c.error_steps AS error_steps
        FROM change c JOIN {schema}.workflow_runs r ON r.id = c.id
        WHERE r.id = ANY (ARRAY(SELECT id FROM change))
    ) n
), new_job AS (
    SELECT
        job_id AS id, job_type, organization_id, payload, priority, max_attempts, timeout_seconds, at AS created_at, at AS updated_at,
        at + coalesce(delay_seconds, 0) * interval '1 second' AS next_run_at, true AS is_step,
        workflow_run_id = ANY (ARRAY(SELECT id FROM run WHERE is_paused)) AS is_paused, stage, retry_policy,
        CASE WHEN headers IS NOT NULL OR added IS NOT NULL OR (SELECT bool_or(has_headers) FROM run) THEN
            nullif(
                coalesce(added, '{}')
                    || coalesce((SELECT r.headers FROM {schema}.workflow_runs r WHERE r.id = decided.workflow_run_id), '{}')
                    || coalesce(headers, '{}'),
                '{}'
            )
        END AS headers, flow
    FROM decided CROSS JOIN (SELECT :headers::jsonb AS added) given
    WHERE next = 'ENQUEUED'
), job AS (
    {fragment/insert_job}
    RETURNING job_type, next_run_at, is_paused
), step AS (
    UPDATE {schema}.workflow_step_rows s
    SET dependency_count_pending = s.dependency_count_pending - d.edges,
        dependency_count_unsatisfied = s.dependency_count_unsatisfied + d.unsatisfied,
        status = coalesce(d.next::{schema}.workflow_step_status, s.status),
        released_at = CASE WHEN d.next = 'WAITING_FOR_EXTERNAL' THEN d.at END,
        expires_at = CASE WHEN d.next = 'WAITING_FOR_EXTERNAL' THEN d.at + d.expires_after_seconds * interval '1 second' END,
        finished_at = CASE WHEN d.next IN ('CANCELED', 'SKIPPED') THEN d.at END,
        status_reason = CASE d.next
            WHEN 'CANCELED' THEN p.code
            WHEN 'SKIPPED' THEN
                CASE WHEN s.dependency_count_unsatisfied + d.unsatisfied > 0 THEN 'PREREQUISITE_SKIPPED' ELSE 'CONDITION_FALSE' END
        END,
        last_error_code = CASE d.next WHEN 'CANCELED' THEN p.code END,
        last_error_message = CASE d.next WHEN 'CANCELED' THEN p.message END,
        updated_at = now()
    FROM decided d CROSS JOIN (SELECT :error_code::text AS code, :error_message::text AS message) p
    WHERE s.id = ANY (ARRAY(SELECT id FROM decided WHERE next IS DISTINCT FROM 'ENQUEUED')) AND s.id = d.id
), ended AS MATERIALIZED (
    SELECT id FROM run WHERE open_steps = 0 AND before IN ('RUNNING', 'WAITING_FOR_EXTERNAL')
), claim AS MATERIALIZED (
    SELECT
        a.workflow_run_id,
        EXISTS (
            SELECT FROM {schema}.workflow_step_rows s JOIN {schema}.job_queue q ON q.id = s.job_id
            WHERE s.workflow_run_id = a.workflow_run_id AND q.status = 'CANCELED' AND q.lease_expires_at > clock_timestamp()
        ) AS is_busy
    FROM {schema}.workflow_active_claims a WHERE a.workflow_run_id = ANY (ARRAY(SELECT id FROM ended))
), freed AS (
    DELETE FROM {schema}.workflow_active_claims WHERE workflow_run_id = ANY (ARRAY(SELECT workflow_run_id FROM claim WHERE NOT is_busy))
), deferred AS (
    UPDATE {schema}.workflow_active_claims SET release_pending = true
    WHERE workflow_run_id = ANY (ARRAY(SELECT workflow_run_id FROM claim WHERE is_busy))
), counted AS (
    UPDATE {schema}.workflow_runs r
    SET open_steps = c.open_steps, active_steps = c.active_steps, waiting_steps = c.waiting_steps, error_steps = c.error_steps,
        status = c.status, status_reason = coalesce(c.reason, r.status_reason),
        finished_at = CASE WHEN c.status IN ('RUNNING', 'WAITING_FOR_EXTERNAL') THEN NULL
            ELSE coalesce(r.finished_at, clock_timestamp()) END,
        paused_at = CASE WHEN c.status IN ('RUNNING', 'WAITING_FOR_EXTERNAL') THEN r.paused_at END,
        pause_reason = CASE WHEN c.status IN ('RUNNING', 'WAITING_FOR_EXTERNAL') THEN r.pause_reason END,
        result = CASE WHEN c.status = 'SUCCEEDED' THEN (
            SELECT s.output FROM {schema}.workflow_steps s WHERE s.workflow_run_id = r.id AND s.step_key = r.result_step_key
        ) END,
        updated_at = now()
    FROM run c
    WHERE r.id = ANY (ARRAY(SELECT id FROM run)) AND r.id = c.id
), notified AS (
    SELECT pg_notify({channel}, t.message)
    FROM (
        SELECT 'j:' || job_type AS message FROM job WHERE next_run_at <= clock_timestamp() AND NOT is_paused
        UNION
        SELECT 'g:' || workflow_run_id FROM decided WHERE next = 'WAITING_FOR_EXTERNAL'
        UNION
        SELECT 'r:' || id FROM ended
    ) t
    WHERE {signals}
)
SELECT d.workflow_run_id, d.id, d.next AS status, told.signals
FROM (SELECT count(*) AS signals FROM notified) told LEFT JOIN decided d ON d.next IN ('CANCELED', 'SKIPPED')
