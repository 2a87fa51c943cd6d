-- The whole story of a job, told from the rows that hold each fact. Within a run the order is logical (claim, start, what the
-- handler reported, end, what followed), so it does not depend on clocks; id numbers a job's events from 1.
CREATE VIEW "${schema}".job_events AS
-- A claim says the stage it found: the last one that was entered before it in its run. stages counts those, so the first event
-- with the same count is the one that entered it.
SELECT
    row_number() OVER (PARTITION BY job_id ORDER BY run_number, attempt NULLS FIRST, rank, journal_id NULLS FIRST) AS id,
    job_id, run_number, attempt, event_type,
    CASE
        WHEN event_type <> 'LEASED' THEN stage
        WHEN stages = 0 THEN 'queued'
        ELSE first_value(stage) OVER (
            PARTITION BY job_id, run_number, stages ORDER BY attempt NULLS FIRST, rank, journal_id NULLS FIRST)
    END AS stage,
    progress_done, progress_total, payload, occurred_at
FROM (
SELECT
    told.*,
    count(*) FILTER (WHERE event_type IN ('ENQUEUED', 'STAGE_CHANGED')) OVER (
        PARTITION BY job_id, run_number ORDER BY attempt NULLS FIRST, rank, journal_id NULLS FIRST) AS stages
FROM (
    SELECT
        q.id AS job_id, 1 AS run_number, NULL::integer AS attempt, 0 AS rank, NULL::bigint AS journal_id,
        'ENQUEUED'::"${schema}".job_event_type AS event_type, coalesce(q.initial_stage, 'queued') AS stage,
        NULL::bigint AS progress_done, NULL::bigint AS progress_total,
        jsonb_build_object('job_type', q.job_type) || coalesce(
            (SELECT jsonb_build_object(
                'replayed_from_job_id', r.source_job_id, 'replayed_from_run_number', r.source_run_number,
                'replay_request_key', r.replay_request_key, 'reason', r.reason)
             FROM "${schema}".job_replays r WHERE r.replay_job_id = q.id),
            '{}') AS payload,
        q.created_at AS occurred_at
    FROM "${schema}".job_queue q
    UNION ALL
    -- Claims: the open one stands in the queue, the ended ones among the attempts.
    SELECT
        c.job_id, c.run_number, c.attempt, 1, NULL, 'LEASED', NULL, NULL, NULL,
        jsonb_build_object('worker_id', c.worker_id, 'lease_duration_seconds', c.lease_seconds), c.leased_at
    FROM (
        SELECT id AS job_id, run_number, attempt, worker_id, lease_seconds, leased_at
        FROM "${schema}".job_queue WHERE status = 'LEASED'
        UNION ALL
        SELECT job_id, run_number, attempt, worker_id, lease_seconds, leased_at FROM "${schema}".job_attempts
    ) c
    UNION ALL
    SELECT s.job_id, s.run_number, s.attempt, 2, NULL, 'STAGE_CHANGED', 'running', NULL, NULL, '{}', s.execution_started_persisted_at
    FROM (
        SELECT id AS job_id, run_number, attempt, execution_started_persisted_at
        FROM "${schema}".job_queue WHERE status = 'LEASED'
        UNION ALL
        SELECT job_id, run_number, attempt, execution_started_persisted_at FROM "${schema}".job_attempts
    ) s
    WHERE s.execution_started_persisted_at IS NOT NULL
    UNION ALL
    SELECT
        j.job_id, j.run_number, j.attempt, CASE WHEN j.event_type IN ('STAGE_CHANGED', 'PROGRESS', 'TIMEOUT_IGNORED') THEN 3 ELSE 6 END, j.id,
        j.event_type, j.stage, j.progress_done, j.progress_total, j.payload, j.occurred_at
    FROM "${schema}".job_journal j
    UNION ALL
    SELECT
        a.job_id, a.run_number, a.attempt, 4, NULL, 'FAILED', NULL, NULL, NULL,
        jsonb_build_object('kind', a.outcome, 'error_code', a.error_code, 'error_message', a.error_message)
            || CASE WHEN a.outcome = 'LEASE_EXPIRED' THEN jsonb_build_object('started_without_renewal_heartbeat',
                a.execution_started_persisted_at IS NOT NULL
                AND coalesce(a.last_heartbeat_at <= a.execution_started_persisted_at, true)) ELSE '{}' END,
        a.finished_at
    FROM "${schema}".job_attempts a
    WHERE a.outcome IN ('RETRYABLE', 'TERMINAL', 'PANICKED', 'TIMEOUT', 'LEASE_EXPIRED')
    UNION ALL
    SELECT
        q.id, q.run_number, q.attempt, 4, NULL, 'SUCCEEDED', 'completed', q.progress_done, q.progress_total, '{}', q.finished_at
    FROM "${schema}".job_queue q WHERE q.status = 'SUCCEEDED'
    UNION ALL
    SELECT
        a.job_id, a.run_number, a.attempt, 5, NULL, 'RETRY_SCHEDULED', NULL, NULL, NULL,
        jsonb_strip_nulls(jsonb_build_object(
            'kind', CASE WHEN a.outcome = 'LEASE_EXPIRED' THEN a.outcome END,
            'retry_delay_ms', a.retry_delay_ms, 'next_run_at', a.effective_next_run_at,
            'effective_next_run_at', CASE WHEN a.retry_timing_source IS NOT NULL THEN a.effective_next_run_at END,
            'retry_timing_source', a.retry_timing_source, 'requested_retry_not_before', a.requested_retry_not_before,
            'requested_retry_at', a.requested_retry_not_before,
            'started_without_renewal_heartbeat', CASE WHEN a.outcome = 'LEASE_EXPIRED' THEN
                a.execution_started_persisted_at IS NOT NULL
                AND coalesce(a.last_heartbeat_at <= a.execution_started_persisted_at, true) END)),
        a.finished_at
    FROM "${schema}".job_attempts a
    WHERE a.retry_delay_ms IS NOT NULL AND a.outcome IN ('RETRYABLE', 'PANICKED', 'TIMEOUT', 'LEASE_EXPIRED')
    UNION ALL
    SELECT
        a.job_id, a.run_number, a.attempt, 5, NULL, 'REQUEUED', NULL, NULL, NULL,
        jsonb_strip_nulls(jsonb_build_object(
            'reason', a.error_code, 'requeue_kind', 'BASIC', 'next_run_at', a.effective_next_run_at)),
        a.finished_at
    FROM "${schema}".job_attempts a WHERE a.outcome = 'INTERRUPTED'
    UNION ALL
    SELECT
        d.job_id, d.run_number, d.attempt, 5, NULL, 'DEAD_LETTERED', NULL, NULL, NULL,
        jsonb_build_object('kind', d.kind, 'error_code', d.error_code)
            || CASE WHEN d.kind = 'LEASE_EXPIRED' THEN jsonb_build_object('started_without_renewal_heartbeat',
                a.execution_started_persisted_at IS NOT NULL
                AND coalesce(a.last_heartbeat_at <= a.execution_started_persisted_at, true)) ELSE '{}' END,
        d.failed_at
    FROM "${schema}".job_dead_letters d
    LEFT JOIN "${schema}".job_attempts a ON a.job_id = d.job_id AND a.run_number = d.run_number AND a.attempt = d.attempt
) told
) staged;
COMMENT ON VIEW "${schema}".job_events IS 'The complete journal of every job, in order; read it by job_id';
COMMENT ON COLUMN "${schema}".job_events.id IS 'Number of the event within its job, from 1';
COMMENT ON COLUMN "${schema}".job_events.job_id IS 'The job';
COMMENT ON COLUMN "${schema}".job_events.run_number IS 'The job''s run';
COMMENT ON COLUMN "${schema}".job_events.attempt IS 'The attempt; null before the first claim of the run';
COMMENT ON COLUMN "${schema}".job_events.event_type IS 'What happened';
COMMENT ON COLUMN "${schema}".job_events.stage IS 'Stage at or after the event';
COMMENT ON COLUMN "${schema}".job_events.progress_done IS 'Units done';
COMMENT ON COLUMN "${schema}".job_events.progress_total IS 'Units in all';
COMMENT ON COLUMN "${schema}".job_events.payload IS 'The event''s own facts';
COMMENT ON COLUMN "${schema}".job_events.occurred_at IS 'When it happened';

CREATE VIEW "${schema}".workflow_step_events AS
SELECT
    row_number() OVER (PARTITION BY workflow_run_id ORDER BY occurred_at, rank, ordinal, journal_id NULLS LAST) AS id,
    workflow_run_id, step_id, step_key, event_type, payload, occurred_at
FROM (
    SELECT
        s.workflow_run_id, s.id AS step_id, s.step_key, s.ordinal, e.rank, NULL::bigint AS journal_id,
        e.event_type::"${schema}".workflow_step_event_type AS event_type, e.payload, e.occurred_at
    FROM "${schema}".workflow_steps s
    CROSS JOIN LATERAL (
        VALUES
            (0, 'CREATED', jsonb_build_object('execution_kind', s.execution_kind), s.created_at),
            (
                2, CASE s.execution_kind WHEN 'JOB' THEN 'RELEASED' ELSE 'OPENED' END,
                CASE s.execution_kind WHEN 'JOB' THEN jsonb_build_object('job_id', s.job_id)
                    ELSE jsonb_strip_nulls(jsonb_build_object('expires_at', s.expires_at)) END,
                s.released_at
            ),
            (3, 'STARTED', jsonb_build_object('job_id', s.job_id), s.started_at),
            (
                4, s.status::text,
                jsonb_strip_nulls(jsonb_build_object(
                    'reason', s.status_reason, 'error_code', s.last_error_code, 'error_message', s.last_error_message)),
                CASE WHEN s.status IN ('SUCCEEDED', 'FAILED', 'CANCELED', 'SKIPPED') THEN s.finished_at END
            )
    ) AS e (rank, event_type, payload, occurred_at)
    WHERE e.occurred_at IS NOT NULL
    UNION ALL
    SELECT j.workflow_run_id, j.step_id, s.step_key, s.ordinal, 1, j.id, j.event_type, j.payload, j.occurred_at
    FROM "${schema}".workflow_step_journal j
    JOIN "${schema}".workflow_step_rows s ON s.workflow_run_id = j.workflow_run_id AND s.id = j.step_id
) told;
COMMENT ON VIEW "${schema}".workflow_step_events IS 'The complete journal of every run''s steps, in order; read it by workflow_run_id';
COMMENT ON COLUMN "${schema}".workflow_step_events.id IS 'Number of the event within its run, from 1';
COMMENT ON COLUMN "${schema}".workflow_step_events.workflow_run_id IS 'The run';
COMMENT ON COLUMN "${schema}".workflow_step_events.step_id IS 'The step';
COMMENT ON COLUMN "${schema}".workflow_step_events.step_key IS 'The step''s key';
COMMENT ON COLUMN "${schema}".workflow_step_events.event_type IS 'What happened';
COMMENT ON COLUMN "${schema}".workflow_step_events.payload IS 'The event''s own facts';
COMMENT ON COLUMN "${schema}".workflow_step_events.occurred_at IS 'When it happened';

CREATE VIEW "${schema}".job_metrics_rollup AS
WITH live AS (
    SELECT
        organization_id, job_type,
        count(*) FILTER (WHERE status = 'PENDING') AS pending_count,
        count(*) FILTER (WHERE status = 'LEASED') AS leased_count,
        count(*) FILTER (WHERE status = 'LEASED' AND lease_expires_at < now()) AS stale_leases
    FROM "${schema}".job_queue WHERE status = 'PENDING' OR status = 'LEASED'
    GROUP BY organization_id, job_type
), ended AS (
    SELECT
        q.organization_id, q.job_type,
        count(*) FILTER (WHERE a.outcome = 'SUCCEEDED' AND q.status = 'SUCCEEDED' AND q.run_number = a.run_number) AS succeeded_24h,
        count(*) FILTER (WHERE a.outcome = 'RETRYABLE') AS retryable_24h,
        count(*) FILTER (WHERE a.outcome = 'TERMINAL') AS terminal_24h,
        count(*) FILTER (WHERE a.outcome = 'PANICKED') AS panicked_24h,
        count(*) FILTER (WHERE a.outcome = 'TIMEOUT') AS timeout_24h,
        count(*) FILTER (WHERE a.outcome = 'LEASE_EXPIRED') AS lease_expired_24h,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM a.finished_at - a.started_at)::double precision * 1000)
            AS p50_duration_ms_24h,
        percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM a.finished_at - a.started_at)::double precision * 1000)
            AS p95_duration_ms_24h
    FROM "${schema}".job_attempts a JOIN "${schema}".job_queue q ON q.id = a.job_id
    WHERE a.finished_at >= now() - interval '24 hours'
    GROUP BY q.organization_id, q.job_type
), dead AS (
    -- Only those that still wait for an operator: a requeued job no longer counts.
    SELECT organization_id, job_type, count(*) AS dead_lettered_24h
    FROM "${schema}".job_queue
    WHERE status = 'DEAD_LETTERED' AND finished_at >= now() - interval '24 hours'
    GROUP BY organization_id, job_type
)
-- Added up and not joined: no join by IS NOT DISTINCT FROM can hash, and with many organizations it would compare each with each.
SELECT
    organization_id, job_type,
    sum(pending_count)::bigint AS pending_count,
    sum(leased_count)::bigint AS leased_count,
    sum(stale_leases)::bigint AS stale_leases,
    sum(succeeded_24h)::bigint AS succeeded_24h,
    sum(retryable_24h)::bigint AS retryable_24h,
    sum(terminal_24h)::bigint AS terminal_24h,
    sum(panicked_24h)::bigint AS panicked_24h,
    sum(timeout_24h)::bigint AS timeout_24h,
    sum(lease_expired_24h)::bigint AS lease_expired_24h,
    sum(dead_lettered_24h)::bigint AS dead_lettered_24h,
    max(p50_duration_ms_24h) AS p50_duration_ms_24h, max(p95_duration_ms_24h) AS p95_duration_ms_24h
FROM (
    SELECT
        organization_id, job_type, pending_count, leased_count, stale_leases, 0 AS succeeded_24h, 0 AS retryable_24h, 0 AS terminal_24h,
        0 AS panicked_24h, 0 AS timeout_24h, 0 AS lease_expired_24h, 0 AS dead_lettered_24h,
        NULL::double precision AS p50_duration_ms_24h, NULL::double precision AS p95_duration_ms_24h
    FROM live
    UNION ALL
    SELECT
        organization_id, job_type, 0, 0, 0, succeeded_24h, retryable_24h, terminal_24h, panicked_24h, timeout_24h, lease_expired_24h, 0,
        p50_duration_ms_24h, p95_duration_ms_24h
    FROM ended
    UNION ALL
    SELECT organization_id, job_type, 0, 0, 0, 0, 0, 0, 0, 0, 0, dead_lettered_24h, NULL, NULL FROM dead
) counted
GROUP BY organization_id, job_type;
COMMENT ON VIEW "${schema}".job_metrics_rollup IS
    'Live counts and the last day''s endings, per organization and job type; reads a whole day of attempts, so for reports and not for alerts';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.organization_id IS 'Organization; null for global jobs';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.job_type IS 'Job type';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.pending_count IS 'Jobs waiting, also those due later';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.leased_count IS 'Jobs running';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.stale_leases IS 'Jobs whose lease has expired';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.succeeded_24h IS 'Jobs that succeeded in the last 24 hours';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.retryable_24h IS 'Attempts that failed retryably';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.terminal_24h IS 'Attempts that failed for good';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.panicked_24h IS 'Attempts that panicked';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.timeout_24h IS 'Attempts that timed out';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.lease_expired_24h IS 'Attempts whose worker vanished';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.dead_lettered_24h IS 'Jobs dead-lettered in the last 24 hours that still are';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.p50_duration_ms_24h IS 'Median duration of ended attempts';
COMMENT ON COLUMN "${schema}".job_metrics_rollup.p95_duration_ms_24h IS '95th percentile of the duration of ended attempts';

INSERT INTO "${schema}".runledger_migration_history (version) VALUES (5);
