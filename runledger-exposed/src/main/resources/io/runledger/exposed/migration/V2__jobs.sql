CREATE TABLE "${schema}".job_definitions (
    job_type text NOT NULL,
    version integer NOT NULL DEFAULT 1,
    max_attempts integer NOT NULL DEFAULT 8,
    default_timeout_seconds integer NOT NULL DEFAULT 900,
    default_priority integer NOT NULL DEFAULT 100,
    is_enabled boolean NOT NULL DEFAULT true,
    is_paused boolean NOT NULL DEFAULT false,
    retry_policy jsonb,
    declared_max_attempts integer,
    declared_timeout_seconds integer,
    declared_priority integer,
    declared_is_enabled boolean,
    declared_retry_policy jsonb,
    redeclared_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT job_definitions_pkey PRIMARY KEY (job_type),
    CONSTRAINT chk_job_definitions_type_not_blank CHECK (length(trim(job_type)) > 0),
    CONSTRAINT chk_job_definitions_version_positive CHECK (version > 0),
    CONSTRAINT chk_job_definitions_max_attempts_positive CHECK (max_attempts > 0),
    CONSTRAINT chk_job_definitions_timeout_positive CHECK (default_timeout_seconds > 0),
    CONSTRAINT chk_job_definitions_retry_policy_object CHECK (retry_policy IS NULL OR jsonb_typeof(retry_policy) = 'object'),
    CONSTRAINT chk_job_definitions_declared_policy CHECK (jsonb_typeof(declared_retry_policy) IN ('object', 'null'))
);
CREATE TRIGGER trg_job_definitions_set_updated_at BEFORE UPDATE ON "${schema}".job_definitions
    FOR EACH ROW EXECUTE FUNCTION "${schema}".set_updated_at_timestamp();
COMMENT ON TABLE "${schema}".job_definitions IS 'The job types and their defaults; a job''s values are frozen when it is enqueued';
COMMENT ON COLUMN "${schema}".job_definitions.job_type IS 'Name of the type';
COMMENT ON COLUMN "${schema}".job_definitions.version IS 'The declaring code''s own version of the type; an older declaration changes nothing';
COMMENT ON COLUMN "${schema}".job_definitions.max_attempts IS 'Attempts of a job that names none';
COMMENT ON COLUMN "${schema}".job_definitions.default_timeout_seconds IS 'Timeout of a job that names none';
COMMENT ON COLUMN "${schema}".job_definitions.default_priority IS 'Priority of a job that names none; larger is claimed earlier';
COMMENT ON COLUMN "${schema}".job_definitions.is_enabled IS 'False refuses new jobs; queued ones still run';
COMMENT ON COLUMN "${schema}".job_definitions.is_paused IS 'True stops claiming; new jobs are still accepted';
COMMENT ON COLUMN "${schema}".job_definitions.retry_policy IS 'How failures are retried; null means the library''s standard policy';
COMMENT ON COLUMN "${schema}".job_definitions.declared_max_attempts IS 'What code declares while an operator''s max_attempts stands instead; null while none does';
COMMENT ON COLUMN "${schema}".job_definitions.declared_timeout_seconds IS 'The same for default_timeout_seconds';
COMMENT ON COLUMN "${schema}".job_definitions.declared_priority IS 'The same for default_priority';
COMMENT ON COLUMN "${schema}".job_definitions.declared_is_enabled IS 'The same for is_enabled';
COMMENT ON COLUMN "${schema}".job_definitions.declared_retry_policy IS 'The same for retry_policy; JSON null where code declares none';
COMMENT ON COLUMN "${schema}".job_definitions.redeclared_at IS 'When code last declared something else under the version that was stored; null when it did not';
COMMENT ON COLUMN "${schema}".job_definitions.created_at IS 'When the type was first declared';
COMMENT ON COLUMN "${schema}".job_definitions.updated_at IS 'When the row last changed';

-- Columns stand in order of alignment, widest first, so that rows carry no padding.
CREATE TABLE "${schema}".job_queue (
    id uuid NOT NULL DEFAULT "${schema}".uuidv7(),
    organization_id uuid,
    lease_id uuid,
    next_run_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    leased_at timestamptz,
    lease_expires_at timestamptz,
    last_heartbeat_at timestamptz,
    execution_started_persisted_at timestamptz,
    finished_at timestamptz,
    progress_done bigint,
    progress_total bigint,
    status "${schema}".job_status NOT NULL DEFAULT 'PENDING',
    priority integer NOT NULL DEFAULT 100,
    run_number integer NOT NULL DEFAULT 1,
    attempt integer NOT NULL DEFAULT 0,
    interruptions integer NOT NULL DEFAULT 0,
    max_attempts integer NOT NULL,
    timeout_seconds integer NOT NULL DEFAULT 900,
    lease_seconds integer,
    is_step boolean NOT NULL DEFAULT false,
    is_paused boolean NOT NULL DEFAULT false,
    is_delayed boolean NOT NULL GENERATED ALWAYS AS (next_run_at > updated_at) STORED,
    job_type text NOT NULL,
    stage text NOT NULL DEFAULT 'queued',
    initial_stage text,
    worker_id text,
    claim_origin text,
    idempotency_key text,
    status_reason text,
    last_error_code text,
    last_error_message text,
    payload jsonb NOT NULL DEFAULT '{}',
    checkpoint jsonb,
    output jsonb,
    enqueue_request jsonb,
    retry_policy jsonb,
    headers jsonb,
    -- Every statement sets updated_at, so it stands in the expression: PostgreSQL reads the text of a generated column anew for each
    -- row of an UPDATE that touches none of the columns in it, which took a quarter of a claim's time.
    progress_pct numeric GENERATED ALWAYS AS (
        CASE WHEN progress_total > 0 AND updated_at IS NOT NULL THEN round(100.0 * progress_done / progress_total, 2) END
    ) STORED,
    CONSTRAINT job_queue_pkey PRIMARY KEY (id),
    CONSTRAINT chk_job_queue_attempt_nonnegative CHECK (attempt >= 0),
    CONSTRAINT chk_job_queue_interruptions_bounded CHECK (interruptions BETWEEN 0 AND attempt),
    CONSTRAINT chk_job_queue_max_attempts_positive CHECK (max_attempts > 0),
    CONSTRAINT chk_job_queue_run_number_positive CHECK (run_number > 0),
    CONSTRAINT chk_job_queue_timeout_positive CHECK (timeout_seconds > 0),
    CONSTRAINT chk_job_queue_progress_nonnegative CHECK (progress_done >= 0 AND progress_total >= 0 AND progress_done <= progress_total),
    CONSTRAINT chk_job_queue_stage_not_blank CHECK (trim(stage) <> ''),
    CONSTRAINT chk_job_queue_worker_id_not_blank CHECK (trim(worker_id) <> ''),
    CONSTRAINT chk_job_queue_idempotency_key_not_blank CHECK (trim(idempotency_key) <> ''),
    CONSTRAINT ck_job_queue_idempotency_enqueue_request CHECK (idempotency_key IS NULL OR enqueue_request IS NOT NULL),
    CONSTRAINT chk_job_queue_claim_origin CHECK (claim_origin IN ('DIRECT', 'WORKER_PRESTART')),
    CONSTRAINT chk_job_queue_lease_shape CHECK (
        CASE WHEN status = 'LEASED'
            THEN lease_id IS NOT NULL AND worker_id IS NOT NULL AND leased_at IS NOT NULL AND lease_expires_at IS NOT NULL
                AND lease_seconds IS NOT NULL AND claim_origin IS NOT NULL AND attempt > 0
            ELSE lease_id IS NULL AND worker_id IS NULL
        END
    ),
    CONSTRAINT chk_job_queue_finished_shape CHECK ((finished_at IS NOT NULL) = (status IN ('SUCCEEDED', 'DEAD_LETTERED', 'CANCELED')))
-- Every job leaves two dead versions. The server's default waits until a fifth of the table is dead, and most of a large table is history.
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
-- Finished jobs are in no index that a claim reads: history costs it nothing.
-- Jobs of paused runs lie apart from the others of their type, and so do jobs that were put off, so a claim passes none of either.
-- What was put off is found by its time as well: no other order tells which of many priorities have a job that has become due.
CREATE INDEX idx_job_queue_claim ON "${schema}".job_queue (job_type, is_paused, is_delayed, priority DESC, next_run_at, id)
    WHERE status = 'PENDING';
CREATE INDEX idx_job_queue_delayed ON "${schema}".job_queue (job_type, is_paused, next_run_at, priority)
    WHERE status = 'PENDING' AND is_delayed;
CREATE INDEX idx_job_queue_leased_expiry ON "${schema}".job_queue (lease_expires_at) WHERE status = 'LEASED';
CREATE INDEX idx_job_queue_dead_lettered ON "${schema}".job_queue (job_type, id) WHERE status = 'DEAD_LETTERED';
-- For retention, which leaves jobs of steps to their runs. Entries are added at the end of each status, in the order of time.
CREATE INDEX idx_job_queue_ended ON "${schema}".job_queue (status, finished_at, id) WHERE finished_at IS NOT NULL AND NOT is_step;
-- Open dead letters, by the time they were given up: those that were requeued are passed by no list.
CREATE INDEX idx_job_queue_dead_letters_finished ON "${schema}".job_queue (finished_at, id) WHERE status = 'DEAD_LETTERED';
-- By status within the organization: its live jobs are found without its history. Every change of status writes all indexes anyway.
CREATE INDEX idx_job_queue_organization ON "${schema}".job_queue (organization_id, status, id) WHERE organization_id IS NOT NULL;
-- A success clears the code, so only jobs that failed last are in it: work without failures does not pay for it.
CREATE INDEX idx_job_queue_error_code ON "${schema}".job_queue (last_error_code, status, id) WHERE last_error_code IS NOT NULL;
-- The key first: an organization is looked up by IS NOT DISTINCT FROM, which cannot narrow an index scan.
CREATE UNIQUE INDEX uq_job_queue_type_idempotency ON "${schema}".job_queue (idempotency_key, job_type, organization_id)
    NULLS NOT DISTINCT WHERE idempotency_key IS NOT NULL;
COMMENT ON TABLE "${schema}".job_queue IS
    'One row per job, live or finished. While a job is LEASED its row is the open attempt: worker, lease, start';
COMMENT ON COLUMN "${schema}".job_queue.id IS 'Time-ordered id; newest first is descending id';
COMMENT ON COLUMN "${schema}".job_queue.organization_id IS 'Tenant the job belongs to; null for a global job';
COMMENT ON COLUMN "${schema}".job_queue.lease_id IS 'Fencing token: random per claim, needed by every write of the worker that holds it';
COMMENT ON COLUMN "${schema}".job_queue.next_run_at IS 'Not claimed before this instant';
COMMENT ON COLUMN "${schema}".job_queue.created_at IS 'When it was enqueued';
COMMENT ON COLUMN "${schema}".job_queue.updated_at IS 'When the row last changed; set by the statements, not by a trigger';
COMMENT ON COLUMN "${schema}".job_queue.started_at IS 'First claim of the current run';
COMMENT ON COLUMN "${schema}".job_queue.leased_at IS 'When the open attempt was claimed';
COMMENT ON COLUMN "${schema}".job_queue.lease_expires_at IS
    'The lease ends here unless renewed; on a CANCELED job the instant by which its handler must have noticed';
COMMENT ON COLUMN "${schema}".job_queue.last_heartbeat_at IS 'Last renewal of the lease';
COMMENT ON COLUMN "${schema}".job_queue.execution_started_persisted_at IS 'When the open attempt''s handler is known to have started';
COMMENT ON COLUMN "${schema}".job_queue.finished_at IS 'When it ended; set exactly in the three end states';
COMMENT ON COLUMN "${schema}".job_queue.progress_done IS 'Units done, by the handler''s count';
COMMENT ON COLUMN "${schema}".job_queue.progress_total IS 'Units in all, by the handler''s count';
COMMENT ON COLUMN "${schema}".job_queue.status IS 'Where it stands';
COMMENT ON COLUMN "${schema}".job_queue.priority IS 'Larger is claimed earlier';
COMMENT ON COLUMN "${schema}".job_queue.run_number IS 'Starts at 1; a requeue or a continuation begins the next run';
COMMENT ON COLUMN "${schema}".job_queue.attempt IS 'Claims in this run so far; the open attempt''s number while LEASED';
COMMENT ON COLUMN "${schema}".job_queue.interruptions IS 'Attempts of this run that were given back and do not count against max_attempts';
COMMENT ON COLUMN "${schema}".job_queue.max_attempts IS 'Attempts that may fail before the job is dead-lettered';
COMMENT ON COLUMN "${schema}".job_queue.timeout_seconds IS 'How long one attempt may run';
COMMENT ON COLUMN "${schema}".job_queue.lease_seconds IS 'Length of the lease taken by the open attempt''s claim';
COMMENT ON COLUMN "${schema}".job_queue.is_step IS
    'Whether a workflow step made it, so that jobs of their own never look for one; which step says workflow_step_rows.job_id';
COMMENT ON COLUMN "${schema}".job_queue.is_paused IS
    'True while the run it is a step of is paused: the attempt that runs goes on, and no other is claimed; means nothing once it ended';
COMMENT ON COLUMN "${schema}".job_queue.is_delayed IS
    'Whether it was not due yet when the row was last written; a job that is not delayed is due, one that is may have become so';
COMMENT ON COLUMN "${schema}".job_queue.job_type IS 'Which handler runs it';
COMMENT ON COLUMN "${schema}".job_queue.stage IS 'queued, scheduled, running or completed';
COMMENT ON COLUMN "${schema}".job_queue.initial_stage IS 'Stage it was enqueued with; null means queued';
COMMENT ON COLUMN "${schema}".job_queue.worker_id IS 'Worker that holds the lease';
COMMENT ON COLUMN "${schema}".job_queue.claim_origin IS 'DIRECT: the claim is the start. WORKER_PRESTART: the start is marked later';
COMMENT ON COLUMN "${schema}".job_queue.idempotency_key IS 'Unique per job type and organization, for as long as the job is kept';
COMMENT ON COLUMN "${schema}".job_queue.status_reason IS 'Why it is where it is';
COMMENT ON COLUMN "${schema}".job_queue.last_error_code IS 'Code of the last failure';
COMMENT ON COLUMN "${schema}".job_queue.last_error_message IS 'Message of the last failure';
COMMENT ON COLUMN "${schema}".job_queue.payload IS 'What the handler gets';
COMMENT ON COLUMN "${schema}".job_queue.checkpoint IS 'What the handler saved to resume from';
COMMENT ON COLUMN "${schema}".job_queue.output IS 'What a successful handler returned; null when it returned nothing';
COMMENT ON COLUMN "${schema}".job_queue.enqueue_request IS 'Canonical request of a keyed job, compared when the key is used again';
COMMENT ON COLUMN "${schema}".job_queue.retry_policy IS 'This job''s own retry policy; null means that of its type';
COMMENT ON COLUMN "${schema}".job_queue.headers IS 'Texts by name that are carried beside the payload, for example the context of a trace; null when there are none. Not secret';
COMMENT ON COLUMN "${schema}".job_queue.progress_pct IS 'Progress in percent; null while the total is unknown';

-- No foreign key to job_queue: it costs every settlement a lookup. Retention deletes attempts with their job in one statement.
CREATE TABLE "${schema}".job_attempts (
    job_id uuid NOT NULL,
    leased_at timestamptz NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL,
    execution_started_persisted_at timestamptz,
    last_heartbeat_at timestamptz,
    requested_retry_not_before timestamptz,
    effective_next_run_at timestamptz,
    run_number integer NOT NULL,
    attempt integer NOT NULL,
    lease_seconds integer NOT NULL,
    retry_delay_ms integer,
    outcome "${schema}".job_failure_kind NOT NULL,
    worker_id text NOT NULL,
    claim_origin text NOT NULL DEFAULT 'DIRECT',
    retry_timing_source text,
    error_code text,
    error_message text,
    error_details jsonb,
    CONSTRAINT job_attempts_pkey PRIMARY KEY (job_id, run_number, attempt),
    CONSTRAINT chk_job_attempts_attempt_positive CHECK (attempt > 0),
    CONSTRAINT chk_job_attempts_run_number_positive CHECK (run_number > 0),
    CONSTRAINT chk_job_attempts_worker_not_blank CHECK (trim(worker_id) <> ''),
    CONSTRAINT chk_job_attempts_retry_delay_nonnegative CHECK (retry_delay_ms >= 0),
    CONSTRAINT chk_job_attempts_claim_origin CHECK (claim_origin IN ('DIRECT', 'WORKER_PRESTART')),
    CONSTRAINT chk_job_attempts_retry_timing_source CHECK (retry_timing_source IN ('POLICY', 'HANDLER_NOT_BEFORE')),
    CONSTRAINT chk_job_attempts_retry_timing_audit_shape CHECK (
        retry_timing_source IS NULL AND requested_retry_not_before IS NULL
        OR retry_timing_source IS NOT NULL AND effective_next_run_at IS NOT NULL
    )
);
-- Attempts are appended in the order they finish, so a block-range index finds the latest at no cost per row. Ranges are small and
-- summarized as soon as they are full: what is not summarized is read by everyone who asks for the latest.
CREATE INDEX idx_job_attempts_finished ON "${schema}".job_attempts USING brin (finished_at) WITH (pages_per_range = 32, autosummarize = on);
COMMENT ON TABLE "${schema}".job_attempts IS 'One row per ended attempt, written once, when it ends; the open attempt is the job''s own row';
COMMENT ON COLUMN "${schema}".job_attempts.job_id IS 'The job';
COMMENT ON COLUMN "${schema}".job_attempts.leased_at IS 'When it was claimed';
COMMENT ON COLUMN "${schema}".job_attempts.started_at IS 'When its handler started, as far as known; else the claim';
COMMENT ON COLUMN "${schema}".job_attempts.finished_at IS 'When it ended';
COMMENT ON COLUMN "${schema}".job_attempts.execution_started_persisted_at IS 'When its handler was known to have started';
COMMENT ON COLUMN "${schema}".job_attempts.last_heartbeat_at IS 'Last renewal before it expired; kept for expired leases only';
COMMENT ON COLUMN "${schema}".job_attempts.requested_retry_not_before IS 'The time the handler asked for';
COMMENT ON COLUMN "${schema}".job_attempts.effective_next_run_at IS 'When the job became due again';
COMMENT ON COLUMN "${schema}".job_attempts.run_number IS 'The job''s run';
COMMENT ON COLUMN "${schema}".job_attempts.attempt IS 'Number within the run, without gaps';
COMMENT ON COLUMN "${schema}".job_attempts.lease_seconds IS 'Length of the lease its claim took';
COMMENT ON COLUMN "${schema}".job_attempts.retry_delay_ms IS 'Delay the policy chose; null when nothing was to be retried';
COMMENT ON COLUMN "${schema}".job_attempts.outcome IS 'How it ended';
COMMENT ON COLUMN "${schema}".job_attempts.worker_id IS 'Who ran it';
COMMENT ON COLUMN "${schema}".job_attempts.claim_origin IS 'Whether the claim was the start';
COMMENT ON COLUMN "${schema}".job_attempts.retry_timing_source IS 'POLICY or HANDLER_NOT_BEFORE: who chose the time';
COMMENT ON COLUMN "${schema}".job_attempts.error_code IS 'Failure code; for an INTERRUPTED attempt why it was given back';
COMMENT ON COLUMN "${schema}".job_attempts.error_message IS 'Failure message';
COMMENT ON COLUMN "${schema}".job_attempts.error_details IS 'What else the handler said about the failure';

CREATE TABLE "${schema}".job_journal (
    id bigint GENERATED ALWAYS AS IDENTITY,
    job_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL DEFAULT now(),
    progress_done bigint,
    progress_total bigint,
    run_number integer NOT NULL DEFAULT 1,
    attempt integer,
    event_type "${schema}".job_event_type NOT NULL,
    stage text,
    payload jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT job_journal_pkey PRIMARY KEY (id),
    CONSTRAINT fk_job_journal_job FOREIGN KEY (job_id) REFERENCES "${schema}".job_queue (id) ON DELETE CASCADE,
    CONSTRAINT chk_job_journal_event_type CHECK (
        event_type IN ('STAGE_CHANGED', 'PROGRESS', 'CANCELED', 'REQUEUED', 'EDITED', 'TIMEOUT_IGNORED')
    ),
    CONSTRAINT chk_job_journal_attempt_positive CHECK (attempt IS NULL OR attempt > 0),
    CONSTRAINT chk_job_journal_run_number_positive CHECK (run_number > 0),
    CONSTRAINT chk_job_journal_stage_not_blank CHECK (stage IS NULL OR length(trim(stage)) > 0),
    CONSTRAINT chk_job_journal_progress_nonnegative CHECK (
        (progress_done IS NULL OR progress_done >= 0) AND (progress_total IS NULL OR progress_total >= 0)
        AND (progress_done IS NULL OR progress_total IS NULL OR progress_done <= progress_total)
    )
);
CREATE INDEX idx_job_journal_job ON "${schema}".job_journal (job_id, id);
COMMENT ON TABLE "${schema}".job_journal IS 'Events that stand in no other row; the whole story is the view job_events';
COMMENT ON COLUMN "${schema}".job_journal.id IS 'Order of writing';
COMMENT ON COLUMN "${schema}".job_journal.job_id IS 'The job';
COMMENT ON COLUMN "${schema}".job_journal.occurred_at IS 'When it happened';
COMMENT ON COLUMN "${schema}".job_journal.progress_done IS 'Units done, as reported';
COMMENT ON COLUMN "${schema}".job_journal.progress_total IS 'Units in all, as reported';
COMMENT ON COLUMN "${schema}".job_journal.run_number IS 'The job''s run at the time';
COMMENT ON COLUMN "${schema}".job_journal.attempt IS 'The attempt at the time; null before the first claim of the run';
COMMENT ON COLUMN "${schema}".job_journal.event_type IS 'What happened';
COMMENT ON COLUMN "${schema}".job_journal.stage IS 'Stage entered';
COMMENT ON COLUMN "${schema}".job_journal.payload IS 'The event''s own facts';

CREATE TABLE "${schema}".job_dead_letters (
    job_id uuid NOT NULL,
    organization_id uuid,
    failed_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    run_number integer NOT NULL DEFAULT 1,
    attempt integer NOT NULL,
    kind "${schema}".job_failure_kind NOT NULL,
    job_type text NOT NULL,
    reason text NOT NULL,
    error_code text,
    error_message text,
    payload_snapshot jsonb NOT NULL,
    checkpoint_snapshot jsonb,
    CONSTRAINT job_dead_letters_pkey PRIMARY KEY (job_id, run_number),
    CONSTRAINT fk_job_dead_letters_job FOREIGN KEY (job_id) REFERENCES "${schema}".job_queue (id) ON DELETE CASCADE,
    CONSTRAINT fk_job_dead_letters_job_type FOREIGN KEY (job_type) REFERENCES "${schema}".job_definitions (job_type) ON DELETE RESTRICT,
    CONSTRAINT chk_job_dead_letters_run_number_positive CHECK (run_number > 0),
    CONSTRAINT chk_job_dead_letters_attempt_positive CHECK (attempt > 0),
    CONSTRAINT chk_job_dead_letters_reason CHECK (reason IN ('FAILURE_KIND_NON_RETRYABLE', 'ATTEMPTS_EXHAUSTED', 'LEASE_EXPIRED'))
);
COMMENT ON TABLE "${schema}".job_dead_letters IS 'One row per dead-lettering: a requeued job that gives up again gets a second row';
COMMENT ON COLUMN "${schema}".job_dead_letters.job_id IS 'The job';
COMMENT ON COLUMN "${schema}".job_dead_letters.organization_id IS 'The job''s organization';
COMMENT ON COLUMN "${schema}".job_dead_letters.failed_at IS 'When it gave up';
COMMENT ON COLUMN "${schema}".job_dead_letters.created_at IS 'When the row was written';
COMMENT ON COLUMN "${schema}".job_dead_letters.run_number IS 'The run that gave up';
COMMENT ON COLUMN "${schema}".job_dead_letters.attempt IS 'The attempt that failed last';
COMMENT ON COLUMN "${schema}".job_dead_letters.kind IS 'How that attempt failed';
COMMENT ON COLUMN "${schema}".job_dead_letters.job_type IS 'The job''s type';
COMMENT ON COLUMN "${schema}".job_dead_letters.reason IS 'Why there was no further attempt';
COMMENT ON COLUMN "${schema}".job_dead_letters.error_code IS 'Failure code';
COMMENT ON COLUMN "${schema}".job_dead_letters.error_message IS 'Failure message';
COMMENT ON COLUMN "${schema}".job_dead_letters.payload_snapshot IS 'The payload as it was';
COMMENT ON COLUMN "${schema}".job_dead_letters.checkpoint_snapshot IS 'The checkpoint as it was';

CREATE TABLE "${schema}".job_dead_letter_hooks (
    registered_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now(),
    job_type text NOT NULL,
    hook text NOT NULL,
    CONSTRAINT job_dead_letter_hooks_pkey PRIMARY KEY (job_type, hook),
    CONSTRAINT chk_job_dead_letter_hooks_job_type_not_blank CHECK (length(trim(job_type)) > 0),
    CONSTRAINT chk_job_dead_letter_hooks_hook_not_blank CHECK (length(trim(hook)) > 0)
);
COMMENT ON TABLE "${schema}".job_dead_letter_hooks IS 'Who wants to be handed the dead letters of which job types';
COMMENT ON COLUMN "${schema}".job_dead_letter_hooks.registered_at IS 'Since when';
COMMENT ON COLUMN "${schema}".job_dead_letter_hooks.seen_at IS 'When a worker with this hook last said so, give or take a day; nothing is kept for one not seen for 30 days';
COMMENT ON COLUMN "${schema}".job_dead_letter_hooks.job_type IS 'The job type';
COMMENT ON COLUMN "${schema}".job_dead_letter_hooks.hook IS 'Name of the hook; workers that use the same name share its letters';

CREATE TABLE "${schema}".job_dead_letter_deliveries (
    job_id uuid NOT NULL,
    due_at timestamptz NOT NULL,
    run_number integer NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    job_type text NOT NULL,
    hook text NOT NULL,
    CONSTRAINT job_dead_letter_deliveries_pkey PRIMARY KEY (job_id, run_number, hook),
    CONSTRAINT fk_job_dead_letter_deliveries_letter FOREIGN KEY (job_id, run_number)
        REFERENCES "${schema}".job_dead_letters (job_id, run_number) ON DELETE CASCADE,
    CONSTRAINT chk_job_dead_letter_deliveries_tries_nonnegative CHECK (tries >= 0)
);
CREATE INDEX idx_job_dead_letter_deliveries_due ON "${schema}".job_dead_letter_deliveries (hook, job_type, due_at);
COMMENT ON TABLE "${schema}".job_dead_letter_deliveries IS 'Dead letters that a hook has not been handed yet; the row goes when it has';
COMMENT ON COLUMN "${schema}".job_dead_letter_deliveries.job_id IS 'The job';
COMMENT ON COLUMN "${schema}".job_dead_letter_deliveries.due_at IS 'When it may be handed out next: while a worker tries, the end of its time to do so';
COMMENT ON COLUMN "${schema}".job_dead_letter_deliveries.run_number IS 'The run that gave up';
COMMENT ON COLUMN "${schema}".job_dead_letter_deliveries.tries IS 'How often it was handed out';
COMMENT ON COLUMN "${schema}".job_dead_letter_deliveries.job_type IS 'The job''s type';
COMMENT ON COLUMN "${schema}".job_dead_letter_deliveries.hook IS 'Who waits for it';

CREATE TABLE "${schema}".job_logs (
    id bigint GENERATED ALWAYS AS IDENTITY,
    job_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL DEFAULT now(),
    run_number integer NOT NULL DEFAULT 1,
    attempt integer,
    line_number integer NOT NULL DEFAULT 1,
    level text NOT NULL,
    message text NOT NULL,
    payload jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT job_logs_pkey PRIMARY KEY (id),
    CONSTRAINT fk_job_logs_job FOREIGN KEY (job_id) REFERENCES "${schema}".job_queue (id) ON DELETE CASCADE,
    CONSTRAINT chk_job_logs_attempt_nonnegative CHECK (attempt IS NULL OR attempt >= 0),
    CONSTRAINT chk_job_logs_run_number_positive CHECK (run_number > 0),
    CONSTRAINT chk_job_logs_level_not_blank CHECK (length(trim(level)) > 0),
    CONSTRAINT chk_job_logs_message_not_blank CHECK (length(trim(message)) > 0)
);
CREATE INDEX idx_job_logs_job ON "${schema}".job_logs (job_id, id);
COMMENT ON TABLE "${schema}".job_logs IS 'What handlers had to say';
COMMENT ON COLUMN "${schema}".job_logs.id IS 'Order of writing';
COMMENT ON COLUMN "${schema}".job_logs.job_id IS 'The job';
COMMENT ON COLUMN "${schema}".job_logs.occurred_at IS 'When it was written';
COMMENT ON COLUMN "${schema}".job_logs.run_number IS 'The job''s run';
COMMENT ON COLUMN "${schema}".job_logs.attempt IS 'The attempt, if any';
COMMENT ON COLUMN "${schema}".job_logs.line_number IS 'Counts the lines of the run, so that they can be bounded; lines written at the same moment may count the same';
COMMENT ON COLUMN "${schema}".job_logs.level IS 'Severity, free text';
COMMENT ON COLUMN "${schema}".job_logs.message IS 'The line';
COMMENT ON COLUMN "${schema}".job_logs.payload IS 'Structured facts beside the line';

CREATE TABLE "${schema}".job_replays (
    replay_job_id uuid NOT NULL,
    source_job_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    source_run_number integer NOT NULL,
    replay_request_key text NOT NULL,
    reason text NOT NULL,
    CONSTRAINT job_replays_pkey PRIMARY KEY (replay_job_id),
    CONSTRAINT uq_job_replays_source_request UNIQUE (source_job_id, source_run_number, replay_request_key),
    CONSTRAINT fk_job_replays_replay_job FOREIGN KEY (replay_job_id) REFERENCES "${schema}".job_queue (id),
    CONSTRAINT fk_job_replays_source_job FOREIGN KEY (source_job_id) REFERENCES "${schema}".job_queue (id) ON DELETE CASCADE,
    CONSTRAINT chk_job_replays_source_run_positive CHECK (source_run_number > 0),
    CONSTRAINT chk_job_replays_request_key CHECK (length(trim(replay_request_key)) > 0 AND octet_length(replay_request_key) <= 512),
    CONSTRAINT chk_job_replays_reason_not_blank CHECK (length(trim(reason)) > 0),
    CONSTRAINT chk_job_replays_distinct_jobs CHECK (source_job_id <> replay_job_id)
);
COMMENT ON TABLE "${schema}".job_replays IS 'Which succeeded job a new job repeats, by whose request';
COMMENT ON COLUMN "${schema}".job_replays.replay_job_id IS 'The new job';
COMMENT ON COLUMN "${schema}".job_replays.source_job_id IS 'The job it repeats';
COMMENT ON COLUMN "${schema}".job_replays.created_at IS 'When it was asked for';
COMMENT ON COLUMN "${schema}".job_replays.source_run_number IS 'The run it repeats';
COMMENT ON COLUMN "${schema}".job_replays.replay_request_key IS 'Makes the request repeatable';
COMMENT ON COLUMN "${schema}".job_replays.reason IS 'Why';

CREATE TABLE "${schema}".job_runtime_configs (
    updated_by_user_id uuid,
    revision bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    schema_version integer NOT NULL,
    job_type text NOT NULL,
    config jsonb NOT NULL,
    CONSTRAINT job_runtime_configs_pkey PRIMARY KEY (job_type),
    CONSTRAINT fk_job_runtime_configs_job_type FOREIGN KEY (job_type) REFERENCES "${schema}".job_definitions (job_type) ON DELETE CASCADE,
    CONSTRAINT chk_job_runtime_configs_schema_version_positive CHECK (schema_version > 0),
    CONSTRAINT chk_job_runtime_configs_revision_positive CHECK (revision > 0),
    CONSTRAINT chk_job_runtime_configs_config_object CHECK (jsonb_typeof(config) = 'object')
);
CREATE TRIGGER trg_job_runtime_configs_set_updated_at BEFORE UPDATE ON "${schema}".job_runtime_configs
    FOR EACH ROW EXECUTE FUNCTION "${schema}".set_updated_at_timestamp();
COMMENT ON TABLE "${schema}".job_runtime_configs IS 'A settings document per job type, for its handlers';
COMMENT ON COLUMN "${schema}".job_runtime_configs.updated_by_user_id IS 'Who changed it last';
COMMENT ON COLUMN "${schema}".job_runtime_configs.revision IS 'Grows with every change; a writer names the revision it read';
COMMENT ON COLUMN "${schema}".job_runtime_configs.created_at IS 'When it was first written';
COMMENT ON COLUMN "${schema}".job_runtime_configs.updated_at IS 'When it last changed';
COMMENT ON COLUMN "${schema}".job_runtime_configs.schema_version IS 'The document''s own version';
COMMENT ON COLUMN "${schema}".job_runtime_configs.job_type IS 'The job type';
COMMENT ON COLUMN "${schema}".job_runtime_configs.config IS 'The document, a JSON object';

CREATE TABLE "${schema}".worker_orders (
    id uuid NOT NULL DEFAULT "${schema}".uuidv7(),
    ordered_at timestamptz NOT NULL DEFAULT now(),
    lifted_at timestamptz,
    ends_at timestamptz,
    kind text NOT NULL,
    label text,
    reason text NOT NULL,
    ordered_by text NOT NULL DEFAULT SESSION_USER,
    lifted_reason text,
    lifted_by text,
    CONSTRAINT worker_orders_pkey PRIMARY KEY (id),
    CONSTRAINT chk_worker_orders_kind CHECK (kind IN ('DRAIN', 'STOP')),
    CONSTRAINT chk_worker_orders_label_not_blank CHECK (label IS NULL OR length(trim(label)) > 0),
    CONSTRAINT chk_worker_orders_reason_not_blank CHECK (length(trim(reason)) > 0),
    CONSTRAINT chk_worker_orders_lifted CHECK (
        (lifted_reason IS NULL) = (lifted_at IS NULL) AND (lifted_by IS NULL) = (lifted_at IS NULL)
        AND (lifted_at IS NULL OR kind = 'DRAIN')
    ),
    CONSTRAINT chk_worker_orders_ends CHECK (ends_at IS NULL OR kind = 'DRAIN')
);
CREATE INDEX idx_worker_orders_standing ON "${schema}".worker_orders (id) WHERE kind = 'DRAIN' AND lifted_at IS NULL;
COMMENT ON TABLE "${schema}".worker_orders IS 'What workers were told to do: a drain stands until it is lifted or its time is up, a stop is for those who are there';
COMMENT ON COLUMN "${schema}".worker_orders.id IS 'Time-ordered id';
COMMENT ON COLUMN "${schema}".worker_orders.ordered_at IS 'When it was given';
COMMENT ON COLUMN "${schema}".worker_orders.lifted_at IS 'When a drain was lifted; null while it stands';
COMMENT ON COLUMN "${schema}".worker_orders.ends_at IS 'When a drain ends on its own; null when it stands until it is lifted';
COMMENT ON COLUMN "${schema}".worker_orders.kind IS 'DRAIN or STOP';
COMMENT ON COLUMN "${schema}".worker_orders.label IS 'For workers with this label; null for every worker';
COMMENT ON COLUMN "${schema}".worker_orders.reason IS 'Why it was given';
COMMENT ON COLUMN "${schema}".worker_orders.ordered_by IS 'The database role that gave it';
COMMENT ON COLUMN "${schema}".worker_orders.lifted_reason IS 'Why it was lifted';
COMMENT ON COLUMN "${schema}".worker_orders.lifted_by IS 'The database role that lifted it';

-- One row per running worker, which only that worker changes, but for the mark of a stop. Beats touch no index.
CREATE TABLE "${schema}".workers (
    id uuid NOT NULL,
    stop_order_id uuid,
    started_at timestamptz NOT NULL DEFAULT now(),
    beat_at timestamptz NOT NULL DEFAULT now(),
    process_id bigint NOT NULL,
    beat_ms integer NOT NULL,
    slots integer NOT NULL,
    busy_slots integer NOT NULL DEFAULT 0,
    held_jobs integer NOT NULL DEFAULT 0,
    worker_id text NOT NULL,
    state text NOT NULL DEFAULT 'WORKING',
    host text NOT NULL,
    library_version text NOT NULL,
    application_version text,
    labels text[] NOT NULL,
    job_types text[] NOT NULL,
    CONSTRAINT workers_pkey PRIMARY KEY (id),
    CONSTRAINT fk_workers_stop_order FOREIGN KEY (stop_order_id) REFERENCES "${schema}".worker_orders (id),
    CONSTRAINT chk_workers_beat_positive CHECK (beat_ms > 0),
    CONSTRAINT chk_workers_slots_positive CHECK (slots > 0),
    CONSTRAINT chk_workers_busy_nonnegative CHECK (busy_slots >= 0),
    CONSTRAINT chk_workers_held_nonnegative CHECK (held_jobs >= 0),
    CONSTRAINT chk_workers_worker_id_not_blank CHECK (length(trim(worker_id)) > 0),
    CONSTRAINT chk_workers_state CHECK (state IN ('WORKING', 'DRAINING', 'DRAINED', 'STOPPING'))
);
COMMENT ON TABLE "${schema}".workers IS 'The workers that run, each as its last beat showed it; a row goes when its worker ends, or long after it vanished';
COMMENT ON COLUMN "${schema}".workers.id IS 'This run of the worker';
COMMENT ON COLUMN "${schema}".workers.stop_order_id IS 'The order that tells it to end';
COMMENT ON COLUMN "${schema}".workers.started_at IS 'When it came';
COMMENT ON COLUMN "${schema}".workers.beat_at IS 'When it last beat';
COMMENT ON COLUMN "${schema}".workers.process_id IS 'Its process';
COMMENT ON COLUMN "${schema}".workers.beat_ms IS 'How often it means to beat, in milliseconds; after three of these it is believed lost';
COMMENT ON COLUMN "${schema}".workers.slots IS 'How many jobs it runs at once, at most';
COMMENT ON COLUMN "${schema}".workers.busy_slots IS 'How many it ran at its last beat';
COMMENT ON COLUMN "${schema}".workers.held_jobs IS 'Jobs claimed ahead that waited for a slot at the last heartbeat';
COMMENT ON COLUMN "${schema}".workers.worker_id IS 'Who it is in the leases it holds';
COMMENT ON COLUMN "${schema}".workers.state IS 'WORKING, DRAINING, DRAINED or STOPPING, in its own words';
COMMENT ON COLUMN "${schema}".workers.host IS 'Its machine';
COMMENT ON COLUMN "${schema}".workers.library_version IS 'The version of the library';
COMMENT ON COLUMN "${schema}".workers.application_version IS 'The version of the service, if it told';
COMMENT ON COLUMN "${schema}".workers.labels IS 'What orders can call it by';
COMMENT ON COLUMN "${schema}".workers.job_types IS 'The job types it serves';

INSERT INTO "${schema}".runledger_migration_history (version) VALUES (2);
