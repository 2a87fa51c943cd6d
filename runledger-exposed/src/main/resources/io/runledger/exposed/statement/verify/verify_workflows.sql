-- Finds contradictions in the rows of workflow runs: one row per contradiction, at most :limit per rule.
-- counted recounts the steps of each run, edge the dependencies of each step.
WITH counted AS MATERIALIZED (
    SELECT
        workflow_run_id,
        (count(*) FILTER (WHERE status NOT IN ('SUCCEEDED', 'FAILED', 'CANCELED', 'SKIPPED')))::int AS open,
        (count(*) FILTER (WHERE status IN ('ENQUEUED', 'RUNNING')))::int AS active,
        (count(*) FILTER (WHERE status = 'WAITING_FOR_EXTERNAL'))::int AS waiting,
        (count(*) FILTER (WHERE status = 'FAILED'
            OR status = 'CANCELED' AND status_reason IS DISTINCT FROM 'workflow.dependency_unsatisfied'))::int AS errors
    FROM {schema}.workflow_steps
    GROUP BY workflow_run_id
), run AS MATERIALIZED (
    SELECT
        r.id, r.status, r.open_steps, r.active_steps, r.waiting_steps, r.error_steps, r.finished_at, r.paused_at,
        coalesce(t.open, 0) AS open, coalesce(t.active, 0) AS active, coalesce(t.waiting, 0) AS waiting, coalesce(t.errors, 0) AS errors
    FROM {schema}.workflow_runs r LEFT JOIN counted t ON t.workflow_run_id = r.id
), edge AS MATERIALIZED (
    SELECT
        d.dependent_step_id AS id, count(*)::int AS total,
        (count(*) FILTER (WHERE p.status NOT IN ('SUCCEEDED', 'FAILED', 'CANCELED', 'SKIPPED')))::int AS pending,
        (count(*) FILTER (WHERE CASE d.release_mode
            WHEN 'ON_SUCCESS' THEN p.status IN ('FAILED', 'CANCELED', 'SKIPPED') WHEN 'ON_FAILURE' THEN p.status IN ('SUCCEEDED', 'SKIPPED')
            ELSE false
        END))::int AS unsatisfied,
        (count(*) FILTER (WHERE p.status = 'SKIPPED' AND d.release_mode <> 'ON_TERMINAL'))::int AS skipped
    FROM {schema}.workflow_step_dependencies d JOIN {schema}.workflow_steps p ON p.id = d.prerequisite_step_id
    GROUP BY d.dependent_step_id
), step AS MATERIALIZED (
    SELECT
        s.id, s.workflow_run_id, s.step_key, s.status, s.execution_kind, s.job_id, s.dependency_count_total, s.dependency_count_pending,
        s.dependency_count_unsatisfied, coalesce(e.total, 0) AS total, coalesce(e.pending, 0) AS pending,
        coalesce(e.unsatisfied, 0) AS unsatisfied, coalesce(e.skipped, 0) AS skipped, s.condition IS NOT NULL AS is_conditional,
        o.status AS own_status, q.status AS job_status, q.is_step, q.is_paused
    FROM {schema}.workflow_step_rows o
    JOIN {schema}.workflow_steps s ON s.id = o.id
    LEFT JOIN edge e ON e.id = o.id
    LEFT JOIN {schema}.job_queue q ON q.id = o.job_id
), contradiction (rule, subject, detail) AS (
    SELECT
        'run.counters', id,
        format('The run counts %s open, %s active, %s waiting and %s failed steps, but there are %s, %s, %s and %s.',
            open_steps, active_steps, waiting_steps, error_steps, open, active, waiting, errors)
    FROM run WHERE (open_steps, active_steps, waiting_steps, error_steps) <> (open, active, waiting, errors)
    UNION ALL
    SELECT
        'run.status', id,
        format('The run is %s with %s open, %s active, %s waiting and %s failed steps.', status, open, active, waiting, errors)
    FROM run
    WHERE status::text <> CASE
        WHEN open = 0 AND status = 'CANCELED' THEN 'CANCELED'
        WHEN active > 0 THEN 'RUNNING'
        WHEN waiting > 0 THEN 'WAITING_FOR_EXTERNAL'
        WHEN open > 0 THEN 'RUNNING'
        WHEN errors > 0 THEN 'COMPLETED_WITH_ERRORS'
        ELSE 'SUCCEEDED'
    END
    UNION ALL
    SELECT 'run.end', id, format('The run is %s, but its end time is %s.', status, coalesce(finished_at::text, 'not set'))
    FROM run WHERE (finished_at IS NOT NULL) <> (status IN ('SUCCEEDED', 'COMPLETED_WITH_ERRORS', 'CANCELED'))
    UNION ALL
    SELECT
        'step.counters', id,
        format('Step %s counts %s dependencies, %s pending and %s unsatisfied, but there are %s, %s and %s.',
            step_key, dependency_count_total, dependency_count_pending, dependency_count_unsatisfied, total, pending, unsatisfied)
    FROM step
    -- A step that was released waits for nothing, even if a step it waited for is retried later.
    WHERE dependency_count_total <> total OR dependency_count_pending <> CASE WHEN status = 'BLOCKED' THEN pending ELSE 0 END
        OR dependency_count_unsatisfied <> unsatisfied AND status IN ('BLOCKED', 'CANCELED', 'SKIPPED') AND job_id IS NULL
    UNION ALL
    SELECT
        'step.released_early', id,
        format('Step %s is %s, but %s of its prerequisites have not ended and %s do not satisfy it.',
            step_key, status, pending, unsatisfied)
    FROM step WHERE status IN ('ENQUEUED', 'RUNNING', 'WAITING_FOR_EXTERNAL') AND (pending > 0 OR unsatisfied > 0)
    UNION ALL
    SELECT 'step.forgotten', id, format('Step %s is BLOCKED, but all of its prerequisites have ended.', step_key)
    FROM step WHERE status = 'BLOCKED' AND pending = 0
    UNION ALL
    SELECT
        'step.skipped', id,
        format('Step %s is SKIPPED, but %s prerequisites have not ended, %s do not satisfy it and %s were skipped; it has %s condition.',
            step_key, pending, unsatisfied - skipped, skipped, CASE WHEN is_conditional THEN 'a' ELSE 'no' END)
    FROM step
    WHERE status = 'SKIPPED' AND (pending > 0 OR unsatisfied > skipped OR skipped = 0 AND NOT is_conditional)
    UNION ALL
    SELECT
        'step.job', id,
        format('Step %s is %s without a job, but it has a job that is %s and %s to a step.', step_key, own_status, job_status,
            CASE WHEN is_step THEN 'belongs' ELSE 'does not belong' END)
    FROM step
    WHERE job_id IS NOT NULL AND (own_status <> 'BLOCKED' OR NOT is_step)
    UNION ALL
    SELECT 'step.type_undefined', step.id, format('Step %s has the job type %s, which is not defined.', step.step_key, step.job_type)
    FROM {schema}.workflow_step_rows step LEFT JOIN {schema}.job_definitions d ON d.job_type = step.job_type
    WHERE step.job_type IS NOT NULL AND d.job_type IS NULL
    UNION ALL
    SELECT 'step.orphan', step.id, format('Step %s belongs to run %s, which does not exist.', step.step_key, step.workflow_run_id)
    FROM step LEFT JOIN run ON run.id = step.workflow_run_id
    WHERE run.id IS NULL
    UNION ALL
    SELECT
        'dependency.orphan', d.dependent_step_id,
        format('Run %s has a dependency of step %s on step %s, which are not both its steps.',
            d.workflow_run_id, d.dependent_step_id, d.prerequisite_step_id)
    FROM {schema}.workflow_step_dependencies d
    LEFT JOIN step w ON w.id = d.dependent_step_id AND w.workflow_run_id = d.workflow_run_id
    LEFT JOIN step p ON p.id = d.prerequisite_step_id AND p.workflow_run_id = d.workflow_run_id
    WHERE w.id IS NULL OR p.id IS NULL
    UNION ALL
    SELECT
        'run.pause', run.id,
        format('The run is %s and paused since %s, but its last event is %s.',
            run.status, run.paused_at, coalesce(last.event_type, 'missing'))
    FROM run
    LEFT JOIN LATERAL (
        SELECT j.event_type FROM {schema}.workflow_run_journal j WHERE j.workflow_run_id = run.id ORDER BY j.id DESC LIMIT 1
    ) last ON true
    WHERE run.paused_at IS NOT NULL AND (run.finished_at IS NOT NULL OR last.event_type IS DISTINCT FROM 'PAUSED')
    UNION ALL
    SELECT
        'step.pause', step.id,
        format('The job of step %s is %s, but the run is %s.', step.step_key,
            CASE WHEN step.is_paused THEN 'paused' ELSE 'not paused' END,
            CASE WHEN run.paused_at IS NULL THEN 'not paused' ELSE 'paused' END)
    FROM step JOIN run ON run.id = step.workflow_run_id
    WHERE step.status IN ('ENQUEUED', 'RUNNING') AND step.is_paused <> (run.paused_at IS NOT NULL)
    UNION ALL
    SELECT 'active_key.kept', run.id, format('The run is %s, but it still holds its active key.', run.status)
    FROM {schema}.workflow_active_claims c JOIN run ON run.id = c.workflow_run_id
    WHERE NOT c.release_pending AND run.finished_at IS NOT NULL
)
SELECT rule, subject, detail
FROM (SELECT *, row_number() OVER (PARTITION BY rule ORDER BY subject) AS nth FROM contradiction) ranked
WHERE nth <= :limit
ORDER BY rule, subject
