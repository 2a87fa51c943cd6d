CREATE TABLE "${schema}".job_schedules (
    id uuid NOT NULL DEFAULT "${schema}".uuidv7(),
    organization_id uuid,
    created_by_user_id uuid,
    last_job_id uuid,
    last_run_id uuid,
    poll_id uuid,
    next_fire_at timestamptz NOT NULL,
    deferred_from timestamptz,
    poll_until timestamptz,
    last_fired_at timestamptz,
    anchor_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    interval_seconds integer,
    max_jitter_seconds integer NOT NULL DEFAULT 0,
    misfire_limit integer NOT NULL DEFAULT 1,
    version integer NOT NULL DEFAULT 1,
    is_active boolean NOT NULL DEFAULT true,
    declared_is_active boolean,
    name text NOT NULL,
    kind text NOT NULL DEFAULT 'JOB',
    job_type text,
    workflow_type text,
    cron_expr text,
    timezone text NOT NULL DEFAULT 'UTC',
    misfire_policy text NOT NULL DEFAULT 'ONE',
    overlap_policy text NOT NULL DEFAULT 'ALLOW',
    payload_template jsonb NOT NULL DEFAULT '{}',
    workflow_request jsonb,
    headers jsonb,
    CONSTRAINT job_schedules_pkey PRIMARY KEY (id),
    CONSTRAINT uq_job_schedules_name UNIQUE (name),
    CONSTRAINT fk_job_schedules_job_type FOREIGN KEY (job_type) REFERENCES "${schema}".job_definitions (job_type) ON DELETE RESTRICT,
    CONSTRAINT fk_job_schedules_last_job FOREIGN KEY (last_job_id) REFERENCES "${schema}".job_queue (id) ON DELETE SET NULL,
    CONSTRAINT chk_job_schedules_kind CHECK (kind IN ('JOB', 'WORKFLOW', 'POLL')),
    CONSTRAINT chk_job_schedules_work CHECK (
        (job_type IS NOT NULL) = (kind = 'JOB') AND (workflow_type IS NOT NULL) = (kind = 'WORKFLOW')
        AND (workflow_request IS NOT NULL) = (kind = 'WORKFLOW')
    ),
    CONSTRAINT chk_job_schedules_name_not_blank CHECK (length(trim(name)) > 0),
    CONSTRAINT chk_job_schedules_cron_not_blank CHECK (cron_expr IS NULL OR length(trim(cron_expr)) > 0),
    CONSTRAINT chk_job_schedules_timezone_not_blank CHECK (length(trim(timezone)) > 0),
    CONSTRAINT chk_job_schedules_jitter_nonnegative CHECK (max_jitter_seconds >= 0),
    CONSTRAINT chk_job_schedules_interval_positive CHECK (interval_seconds IS NULL OR interval_seconds > 0),
    CONSTRAINT chk_job_schedules_cron_or_interval CHECK ((cron_expr IS NULL) <> (interval_seconds IS NULL)),
    CONSTRAINT chk_job_schedules_misfire_policy CHECK (misfire_policy IN ('SKIP', 'ONE', 'ALL')),
    CONSTRAINT chk_job_schedules_misfire_limit_positive CHECK (misfire_limit > 0),
    CONSTRAINT chk_job_schedules_version_positive CHECK (version > 0),
    CONSTRAINT chk_job_schedules_overlap_policy CHECK (overlap_policy IN ('ALLOW', 'SKIP'))
);
CREATE INDEX idx_job_schedules_next_fire ON "${schema}".job_schedules (next_fire_at) WHERE is_active;
CREATE INDEX idx_job_schedules_last_run ON "${schema}".job_schedules (last_run_id) WHERE last_run_id IS NOT NULL;
CREATE INDEX idx_job_schedules_last_job ON "${schema}".job_schedules (last_job_id) WHERE last_job_id IS NOT NULL;
CREATE TRIGGER trg_job_schedules_set_updated_at BEFORE UPDATE ON "${schema}".job_schedules
    FOR EACH ROW EXECUTE FUNCTION "${schema}".set_updated_at_timestamp();
COMMENT ON TABLE "${schema}".job_schedules IS 'What makes jobs, starts workflow runs or polls by the clock';
COMMENT ON COLUMN "${schema}".job_schedules.id IS 'Time-ordered id; also the seed of the jitter';
COMMENT ON COLUMN "${schema}".job_schedules.organization_id IS 'Tenant the jobs or runs belong to; null for global ones';
COMMENT ON COLUMN "${schema}".job_schedules.created_by_user_id IS 'Who made it, in the host''s own terms';
COMMENT ON COLUMN "${schema}".job_schedules.last_job_id IS 'The job of the last fire, for the overlap policy';
COMMENT ON COLUMN "${schema}".job_schedules.last_run_id IS 'The run of the last fire, for the overlap policy';
COMMENT ON COLUMN "${schema}".job_schedules.poll_id IS 'The poll under way; only who holds it may write its result';
COMMENT ON COLUMN "${schema}".job_schedules.next_fire_at IS 'The next fire, jitter included; while deferred, the next try';
COMMENT ON COLUMN "${schema}".job_schedules.deferred_from IS 'The instant that could not fire yet, while it is tried again';
COMMENT ON COLUMN "${schema}".job_schedules.poll_until IS 'When another worker may take the poll over';
COMMENT ON COLUMN "${schema}".job_schedules.last_fired_at IS 'When it last fired';
COMMENT ON COLUMN "${schema}".job_schedules.anchor_at IS 'What an interval counts from: the first fire, before its jitter';
COMMENT ON COLUMN "${schema}".job_schedules.created_at IS 'When it was made';
COMMENT ON COLUMN "${schema}".job_schedules.updated_at IS 'When the row last changed';
COMMENT ON COLUMN "${schema}".job_schedules.interval_seconds IS 'Fires every so many seconds; null for a cron schedule';
COMMENT ON COLUMN "${schema}".job_schedules.max_jitter_seconds IS 'Upper bound of the delay added to each fire';
COMMENT ON COLUMN "${schema}".job_schedules.misfire_limit IS 'How many missed fires policy ALL makes up for';
COMMENT ON COLUMN "${schema}".job_schedules.version IS 'The declaring code''s own version of the schedule; an older declaration changes nothing';
COMMENT ON COLUMN "${schema}".job_schedules.is_active IS 'False while paused';
COMMENT ON COLUMN "${schema}".job_schedules.declared_is_active IS 'What code declares while an operator''s pause or resume stands instead; null while none does';
COMMENT ON COLUMN "${schema}".job_schedules.name IS 'Unique name, across all organizations';
COMMENT ON COLUMN "${schema}".job_schedules.kind IS 'JOB, WORKFLOW or POLL: what it does';
COMMENT ON COLUMN "${schema}".job_schedules.job_type IS 'Type of the jobs it makes; null when it makes none';
COMMENT ON COLUMN "${schema}".job_schedules.workflow_type IS 'Type of the runs it starts; null when it starts none';
COMMENT ON COLUMN "${schema}".job_schedules.cron_expr IS 'Cron expression; null for an interval schedule';
COMMENT ON COLUMN "${schema}".job_schedules.timezone IS 'IANA zone the cron expression is read in';
COMMENT ON COLUMN "${schema}".job_schedules.misfire_policy IS 'SKIP, ONE or ALL: what becomes of missed fires';
COMMENT ON COLUMN "${schema}".job_schedules.overlap_policy IS 'ALLOW or SKIP: what happens while the last job or run is live';
COMMENT ON COLUMN "${schema}".job_schedules.payload_template IS 'Payload of the jobs; the fire''s own facts are added';
COMMENT ON COLUMN "${schema}".job_schedules.workflow_request IS
    'What the runs are asked for: the request as runs keep it, the order of its steps, and the headers that steps add';
COMMENT ON COLUMN "${schema}".job_schedules.headers IS 'Headers of each job or run that it starts; null when there are none';

CREATE TABLE "${schema}".job_schedule_fires (
    schedule_id uuid NOT NULL,
    job_id uuid,
    run_id uuid,
    scheduled_for timestamptz NOT NULL,
    fired_at timestamptz NOT NULL DEFAULT now(),
    times integer NOT NULL DEFAULT 1,
    cause text NOT NULL DEFAULT 'CLOCK',
    outcome text NOT NULL,
    dedup_key text NOT NULL DEFAULT '',
    error_code text,
    reason text,
    CONSTRAINT job_schedule_fires_pkey PRIMARY KEY (schedule_id, scheduled_for, cause, dedup_key),
    CONSTRAINT fk_job_schedule_fires_schedule FOREIGN KEY (schedule_id) REFERENCES "${schema}".job_schedules (id) ON DELETE CASCADE,
    CONSTRAINT fk_job_schedule_fires_job FOREIGN KEY (job_id) REFERENCES "${schema}".job_queue (id) ON DELETE SET NULL,
    CONSTRAINT chk_job_schedule_fires_outcome CHECK (outcome IN (
        'FIRED', 'SKIPPED_OVERLAP', 'SKIPPED_MISFIRE', 'DEFERRED', 'SKIPPED_POLL', 'SKIPPED_DUPLICATE', 'FAILED', 'POLL_REQUESTED',
        'PAUSED', 'RESUMED'
    )),
    CONSTRAINT chk_job_schedule_fires_cause CHECK (cause IN ('CLOCK', 'OPERATOR'))
);
CREATE INDEX idx_job_schedule_fires_job ON "${schema}".job_schedule_fires (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX idx_job_schedule_fires_run ON "${schema}".job_schedule_fires (run_id) WHERE run_id IS NOT NULL;
CREATE UNIQUE INDEX uq_job_schedule_fires_dedup ON "${schema}".job_schedule_fires (schedule_id, dedup_key)
    WHERE dedup_key <> '' AND outcome = 'FIRED';
COMMENT ON TABLE "${schema}".job_schedule_fires IS 'What became of each scheduled instant and what was done to the schedule; the key makes a fire happen once';
COMMENT ON COLUMN "${schema}".job_schedule_fires.schedule_id IS 'The schedule';
COMMENT ON COLUMN "${schema}".job_schedule_fires.job_id IS 'The job it made; null when it made none or the job was pruned';
COMMENT ON COLUMN "${schema}".job_schedule_fires.run_id IS 'The run it started; null when it started none or the run was pruned';
COMMENT ON COLUMN "${schema}".job_schedule_fires.scheduled_for IS 'The instant the schedule asked for; for what somebody did, when';
COMMENT ON COLUMN "${schema}".job_schedule_fires.fired_at IS 'When it was decided, at last';
COMMENT ON COLUMN "${schema}".job_schedule_fires.times IS 'How often it was handled: deferred, or polled in a row with the same result';
COMMENT ON COLUMN "${schema}".job_schedule_fires.cause IS 'CLOCK, or OPERATOR for what somebody did';
COMMENT ON COLUMN "${schema}".job_schedule_fires.outcome IS 'What was decided';
COMMENT ON COLUMN "${schema}".job_schedule_fires.dedup_key IS 'What a poll found; it fires once. Empty for everything else';
COMMENT ON COLUMN "${schema}".job_schedule_fires.error_code IS 'Why it was deferred or failed, as a stable code';
COMMENT ON COLUMN "${schema}".job_schedule_fires.reason IS 'Why, in words';

INSERT INTO "${schema}".runledger_migration_history (version) VALUES (3);
