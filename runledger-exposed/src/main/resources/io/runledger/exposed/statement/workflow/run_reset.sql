-- Resets the failed and canceled steps of a run, and the steps that were skipped because of them. The journal keeps their previous
-- outcomes. Returns for each step its key, whether it waits for no other reset step, and the previous job to resume from. Only a step
-- that may continue and that waits for no other reset step has such a job.
-- The dead-lettered job of a failed step is canceled: its dead letter is no longer open, because the step's next job does the work.
-- A step that is not reset has succeeded, or was skipped because of steps that are not reset either. If a succeeded step depends on a reset
-- step, the dependency fires again without effect. A reset step that had a job gets another one, under an id of its own.
-- The statement counts the dependencies of each step with a separate subquery and finds steps by id: the planner expects small runs, and
-- would compare every step of a large run with every other.
WITH RECURSIVE again AS (
    SELECT s.id, s.workflow_run_id FROM {schema}.workflow_steps s WHERE s.workflow_run_id = :run_id AND s.status IN ('FAILED', 'CANCELED')
    UNION
    SELECT t.id, t.workflow_run_id
    FROM again a
    CROSS JOIN LATERAL (
        SELECT edge.dependent_step_id FROM {schema}.workflow_step_dependencies edge
        WHERE edge.workflow_run_id = a.workflow_run_id AND edge.prerequisite_step_id = a.id
        OFFSET 0
    ) d
    CROSS JOIN LATERAL (
        SELECT id, workflow_run_id, status FROM {schema}.workflow_steps WHERE id = d.dependent_step_id OFFSET 0
    ) t
    WHERE t.status = 'SKIPPED'
), reset AS MATERIALIZED (
    SELECT s.*, e.pending, e.unsatisfied
    FROM again a
    CROSS JOIN LATERAL (SELECT * FROM {schema}.workflow_steps WHERE id = a.id OFFSET 0) s
    CROSS JOIN LATERAL (
        SELECT
            (count(*) FILTER (WHERE p.is_again))::int AS pending,
            (count(*) FILTER (WHERE NOT p.is_again AND CASE d.release_mode
                WHEN 'ON_SUCCESS' THEN p.status = 'SKIPPED' WHEN 'ON_FAILURE' THEN p.status IN ('SUCCEEDED', 'SKIPPED') ELSE false
            END))::int AS unsatisfied
        FROM {schema}.workflow_step_dependencies d
        CROSS JOIN LATERAL (
            SELECT status, id IN (SELECT id FROM again) AS is_again
            FROM {schema}.workflow_steps WHERE id = d.prerequisite_step_id
            OFFSET 0
        ) p
        WHERE d.dependent_step_id = s.id
    ) e
), stamp AS MATERIALIZED (
    SELECT clock_timestamp() AS at, :reason::text AS reason
), journal AS (
    INSERT INTO {schema}.workflow_step_journal (workflow_run_id, step_id, occurred_at, event_type, payload)
    SELECT workflow_run_id, id, occurred_at, event_type::{schema}.workflow_step_event_type, payload
    FROM (
        SELECT
            workflow_run_id, id, ordinal, 1 AS place, released_at AS occurred_at,
            CASE execution_kind WHEN 'JOB' THEN 'RELEASED' ELSE 'OPENED' END AS event_type,
            jsonb_strip_nulls(jsonb_build_object('job_id', job_id, 'expires_at', expires_at)) AS payload
        FROM reset WHERE released_at IS NOT NULL
        UNION ALL
        SELECT workflow_run_id, id, ordinal, 2, started_at, 'STARTED', jsonb_build_object('job_id', job_id)
        FROM reset WHERE started_at IS NOT NULL
        UNION ALL
        SELECT
            workflow_run_id, id, ordinal, 3, finished_at, status::text,
            jsonb_strip_nulls(jsonb_build_object(
                'reason', status_reason, 'error_code', last_error_code, 'error_message', last_error_message))
        FROM reset
        UNION ALL
        SELECT workflow_run_id, id, ordinal, 4, stamp.at, 'RESET',
            jsonb_build_object('reason', stamp.reason) || {fragment/by_operator}
        FROM reset CROSS JOIN stamp
    ) events
    ORDER BY ordinal, place
), superseded AS (
    UPDATE {schema}.job_queue q
    SET status = 'CANCELED', status_reason = stamp.reason, updated_at = now()
    FROM stamp
    WHERE q.id = ANY (ARRAY(SELECT job_id FROM reset WHERE job_id IS NOT NULL)) AND q.status = 'DEAD_LETTERED'
    RETURNING q.id, q.run_number, q.attempt
), closed AS (
    INSERT INTO {schema}.job_journal (job_id, occurred_at, run_number, attempt, event_type, payload)
    SELECT j.id, stamp.at, j.run_number, j.attempt, 'CANCELED',
        jsonb_build_object('reason', stamp.reason) || {fragment/by_operator}
    FROM superseded j CROSS JOIN stamp
), step AS (
    UPDATE {schema}.workflow_step_rows s
    SET status = 'BLOCKED', job_id = CASE WHEN r.job_id IS NULL THEN s.job_id ELSE {schema}.uuidv7() END,
        released_at = NULL, finished_at = NULL, expires_at = NULL, output = NULL,
        status_reason = NULL, last_error_code = NULL, last_error_message = NULL,
        dependency_count_pending = r.pending, dependency_count_unsatisfied = r.unsatisfied, updated_at = now()
    FROM reset r
    WHERE s.id = r.id
)
SELECT
    r.id, r.step_key, r.pending = 0 AS is_ready,
    CASE WHEN r.pending = 0 AND r.allow_handler_continuation THEN r.job_id END AS job_before
FROM reset r
ORDER BY r.ordinal
