-- Ends attempts with mixed outcomes, each fenced by its lease id and by an unexpired lease. Returns one row per applied settlement. A
-- missing row is a lost lease or a row that another transaction holds; nothing was changed for it. :is_step selects either the jobs of
-- workflow steps or the jobs without a step.
-- The verdict is decided before, with one exception: final counts that contradict the stored ones make the job a dead letter. One invalid
-- row must not fail the others, so the statement checks it instead of a constraint; a retry would not correct it.
-- Rows are locked in id order and read under the lock, each by its primary key: LATERAL keeps the planner on it. The given values stay
-- with the row, so nothing is joined over the batch. Expiry and times come from the real clock under the lock. A row that another
-- transaction holds is skipped, so that it does not delay the other settlements; in the caller's transaction SKIP LOCKED is left out. No
-- key changes, so the lock does not conflict with a transaction that only references the job.
-- Only a LEASED row has a lease id. A condition on the status as well would lead the planner to the index of leases, which it believes to
-- be empty, and to a scan of all leases for each row.
WITH held AS MATERIALIZED (
    SELECT
        {fragment/attempt_columns}, i.*, q.job_type, q.organization_id, q.lease_expires_at,
        q.payload AS stored_payload, q.checkpoint AS stored_checkpoint, q.progress_done AS stored_done, q.progress_total AS stored_total
    FROM (
        SELECT * FROM unnest(
            :job_ids::uuid[], :lease_ids::uuid[], :verdicts::text[], :outcomes::text[], :reasons::text[], :error_codes::text[],
            :error_messages::text[], :details::text[], :outputs::text[], :payloads::text[], :checkpoints::text[],
            :delays_us::bigint[], :not_before_us::bigint[], :not_before::timestamptz[], :progress_done::bigint[], :progress_total::bigint[]
        ) AS i (
            job_id, lease_id, verdict, outcome, reason, error_code, error_message, details, output, payload, checkpoint,
            delay_us, not_before_us, not_before, progress_done, progress_total
        )
        ORDER BY job_id
    ) i
    CROSS JOIN LATERAL (
        SELECT * FROM {schema}.job_queue q
        WHERE q.id = i.job_id AND q.lease_id = i.lease_id AND q.is_step = :is_step::bool
        FOR NO KEY UPDATE SKIP LOCKED
    ) q
), stamped AS MATERIALIZED (
    SELECT held.*, clock_timestamp() AS at FROM held
), judged AS (
    SELECT
        q.*,
        CASE WHEN merged.is_fitting THEN merged.done ELSE q.stored_done END AS done,
        CASE WHEN merged.is_fitting THEN merged.total ELSE q.stored_total END AS total,
        merged.is_fitting OR q.verdict = 'DEAD_LETTER' AS is_stored
    FROM stamped q
    CROSS JOIN LATERAL (
        SELECT m.done, m.total, coalesce(m.done <= m.total, true) AS is_fitting
        FROM (VALUES (coalesce(q.progress_done, q.stored_done), coalesce(q.progress_total, q.stored_total))) AS m (done, total)
    ) merged
    WHERE q.lease_expires_at > q.at
), live AS MATERIALIZED (
    SELECT
        {fragment/attempt_columns}, lease_id, job_type, organization_id, stored_payload, stored_checkpoint, at, done, total, is_stored,
        CASE WHEN is_stored THEN verdict ELSE 'DEAD_LETTER' END AS decided,
        CASE WHEN is_stored THEN outcome ELSE 'TERMINAL' END AS outcome,
        CASE WHEN is_stored THEN reason ELSE 'FAILURE_KIND_NON_RETRYABLE' END AS reason,
        CASE WHEN is_stored THEN error_code ELSE :counts_code::text END AS error_code,
        CASE WHEN is_stored THEN error_message ELSE :counts_message::text END AS error_message,
        CASE WHEN is_stored THEN details END AS details, output, CASE WHEN is_stored THEN payload END AS payload,
        CASE WHEN is_stored THEN checkpoint END AS checkpoint, delay_us, not_before_us, not_before,
        greatest(
            at + delay_us * interval '1 microsecond', at + not_before_us * interval '1 microsecond', not_before
        ) AS due_at
    FROM judged q
), ended_attempt AS (
    SELECT
        {fragment/attempt_columns}, q.at, q.outcome::{schema}.job_failure_kind AS outcome,
        CASE WHEN q.decided = 'RETRY' THEN coalesce(q.not_before, q.at + q.not_before_us * interval '1 microsecond') END
            AS requested_retry_not_before,
        CASE WHEN q.decided IN ('RETRY', 'SNOOZE') THEN q.due_at END AS effective_next_run_at,
        CASE WHEN q.decided = 'RETRY' THEN least(q.delay_us / 1000, 2147483647) END AS retry_delay_ms,
        CASE WHEN q.decided = 'RETRY' THEN
            CASE WHEN q.due_at > q.at + q.delay_us * interval '1 microsecond' THEN 'HANDLER_NOT_BEFORE' ELSE 'POLICY' END
        END AS retry_timing_source,
        coalesce(q.error_code, CASE WHEN q.decided = 'SNOOZE' THEN q.reason END) AS error_code, q.error_message,
        CASE WHEN q.decided <> 'CONTINUE' THEN q.details::jsonb END AS error_details
    FROM live q
), attempt AS (
    {fragment/insert_attempt}
), given_up AS (
    SELECT
        id, organization_id, at, run_number, attempt, outcome::{schema}.job_failure_kind AS kind, job_type, reason, error_code,
        error_message, stored_payload AS payload, stored_checkpoint AS checkpoint
    FROM live WHERE decided = 'DEAD_LETTER'
),
{fragment/insert_dead_letters},
journal AS (
    INSERT INTO {schema}.job_journal (
        job_id, occurred_at, run_number, attempt, event_type, stage, progress_done, progress_total, payload
    )
    SELECT
        id, at, run_number, attempt,
        CASE decided WHEN 'CONTINUE' THEN 'REQUEUED' ELSE 'CANCELED' END::{schema}.job_event_type,
        CASE WHEN decided = 'CONTINUE' THEN 'queued' END,
        CASE WHEN decided = 'CONTINUE' THEN done END, CASE WHEN decided = 'CONTINUE' THEN total END,
        CASE decided
            WHEN 'CONTINUE' THEN jsonb_build_object(
                'reason', 'HANDLER_CONTINUATION', 'requeue_kind', 'HANDLER_CONTINUATION', 'next_run_number', run_number + 1,
                'next_run_at', due_at, 'delay_microseconds', delay_us) || coalesce(details::jsonb, jsonb_build_object())
            ELSE jsonb_build_object('reason', reason)
        END
    FROM live WHERE decided IN ('CONTINUE', 'CANCEL')
)
UPDATE {schema}.job_queue q
SET status = CASE live.decided
        WHEN 'SUCCEED' THEN 'SUCCEEDED' WHEN 'DEAD_LETTER' THEN 'DEAD_LETTERED' WHEN 'CANCEL' THEN 'CANCELED' ELSE 'PENDING'
    END::{schema}.job_status,
    {fragment/clear_lease}, lease_expires_at = NULL,
    finished_at = CASE WHEN live.decided IN ('SUCCEED', 'DEAD_LETTER', 'CANCEL') THEN live.at END,
    next_run_at = CASE WHEN live.decided IN ('RETRY', 'CONTINUE', 'SNOOZE') THEN live.due_at ELSE q.next_run_at END,
    run_number = CASE live.decided WHEN 'CONTINUE' THEN q.run_number + 1 ELSE q.run_number END,
    attempt = CASE live.decided WHEN 'CONTINUE' THEN 0 ELSE q.attempt END,
    interruptions = CASE live.decided WHEN 'CONTINUE' THEN 0 WHEN 'SNOOZE' THEN q.interruptions + 1 ELSE q.interruptions END,
    started_at = CASE live.decided WHEN 'CONTINUE' THEN NULL ELSE q.started_at END,
    stage = CASE live.decided WHEN 'SUCCEED' THEN 'completed' WHEN 'CONTINUE' THEN 'queued' ELSE q.stage END,
    progress_done = live.done, progress_total = live.total,
    payload = coalesce(live.payload::jsonb, q.payload),
    checkpoint = coalesce(live.checkpoint::jsonb, q.checkpoint),
    output = CASE live.decided WHEN 'SUCCEED' THEN live.output::jsonb END,
    status_reason = CASE live.decided
        WHEN 'SUCCEED' THEN NULL WHEN 'CONTINUE' THEN 'HANDLER_CONTINUATION' WHEN 'SNOOZE' THEN live.reason
        WHEN 'CANCEL' THEN live.reason ELSE live.outcome
    END,
    last_error_code = CASE WHEN live.decided IN ('RETRY', 'DEAD_LETTER') THEN live.error_code END,
    last_error_message = CASE WHEN live.decided IN ('RETRY', 'DEAD_LETTER') THEN live.error_message END,
    updated_at = live.at
FROM live
WHERE q.id = live.id
RETURNING q.id, live.lease_id, live.is_stored, q.status, q.next_run_at,
    CASE WHEN q.flow_group IS NOT NULL AND {signals} THEN pg_notify({channel}, 'f:')::text END AS freed
