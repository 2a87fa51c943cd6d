CREATE TABLE "${schema}".job_schedules (
    id uuid NOT NULL DEFAULT "${schema}".uuidv7(),
    organization_id uuid,
    created_by_user_id uuid,
    last_job_id uuid,
    next_fire_at timestamptz NOT NULL,
    last_fired_at timestamptz,
    anchor_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    interval_seconds integer,
    max_jitter_seconds integer NOT NULL DEFAULT 0,
    misfire_limit integer NOT NULL DEFAULT 1,
    is_active boolean NOT NULL DEFAULT true,
    name text NOT NULL,
    job_type text NOT NULL,
    cron_expr text,
    timezone text NOT NULL DEFAULT 'UTC',
    misfire_policy text NOT NULL DEFAULT 'ONE',
    overlap_policy text NOT NULL DEFAULT 'ALLOW',
    payload_template jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT job_schedules_pkey PRIMARY KEY (id),
    CONSTRAINT uq_job_schedules_name UNIQUE (name),
    CONSTRAINT fk_job_schedules_job_type FOREIGN KEY (job_type) REFERENCES "${schema}".job_definitions (job_type) ON DELETE RESTRICT,
    CONSTRAINT fk_job_schedules_last_job FOREIGN KEY (last_job_id) REFERENCES "${schema}".job_queue (id) ON DELETE SET NULL,
    CONSTRAINT chk_job_schedules_name_not_blank CHECK (length(trim(name)) > 0),
    CONSTRAINT chk_job_schedules_cron_not_blank CHECK (cron_expr IS NULL OR length(trim(cron_expr)) > 0),
    CONSTRAINT chk_job_schedules_timezone_not_blank CHECK (length(trim(timezone)) > 0),
    CONSTRAINT chk_job_schedules_jitter_nonnegative CHECK (max_jitter_seconds >= 0),
    CONSTRAINT chk_job_schedules_interval_positive CHECK (interval_seconds IS NULL OR interval_seconds > 0),
    CONSTRAINT chk_job_schedules_cron_or_interval CHECK ((cron_expr IS NULL) <> (interval_seconds IS NULL)),
    CONSTRAINT chk_job_schedules_misfire_policy CHECK (misfire_policy IN ('SKIP', 'ONE', 'ALL')),
    CONSTRAINT chk_job_schedules_misfire_limit_positive CHECK (misfire_limit > 0),
    CONSTRAINT chk_job_schedules_overlap_policy CHECK (overlap_policy IN ('ALLOW', 'SKIP'))
);
CREATE INDEX idx_job_schedules_next_fire ON "${schema}".job_schedules (next_fire_at) WHERE is_active;
CREATE INDEX idx_job_schedules_last_job ON "${schema}".job_schedules (last_job_id) WHERE last_job_id IS NOT NULL;
CREATE TRIGGER trg_job_schedules_set_updated_at BEFORE UPDATE ON "${schema}".job_schedules
    FOR EACH ROW EXECUTE FUNCTION "${schema}".set_updated_at_timestamp();
COMMENT ON TABLE "${schema}".job_schedules IS 'What makes jobs by the clock';
COMMENT ON COLUMN "${schema}".job_schedules.id IS 'Time-ordered id; also the seed of the jitter';
COMMENT ON COLUMN "${schema}".job_schedules.organization_id IS 'Tenant the jobs belong to; null for global jobs';
COMMENT ON COLUMN "${schema}".job_schedules.created_by_user_id IS 'Who made it, in the host''s own terms';
COMMENT ON COLUMN "${schema}".job_schedules.last_job_id IS 'The job of the last fire, for the overlap policy';
COMMENT ON COLUMN "${schema}".job_schedules.next_fire_at IS 'The next fire, jitter included';
COMMENT ON COLUMN "${schema}".job_schedules.last_fired_at IS 'When it last fired';
COMMENT ON COLUMN "${schema}".job_schedules.anchor_at IS 'What an interval counts from: the first fire, before its jitter';
COMMENT ON COLUMN "${schema}".job_schedules.created_at IS 'When it was made';
COMMENT ON COLUMN "${schema}".job_schedules.updated_at IS 'When the row last changed';
COMMENT ON COLUMN "${schema}".job_schedules.interval_seconds IS 'Fires every so many seconds; null for a cron schedule';
COMMENT ON COLUMN "${schema}".job_schedules.max_jitter_seconds IS 'Upper bound of the delay added to each fire';
COMMENT ON COLUMN "${schema}".job_schedules.misfire_limit IS 'How many missed fires policy ALL makes up for';
COMMENT ON COLUMN "${schema}".job_schedules.is_active IS 'False while paused';
COMMENT ON COLUMN "${schema}".job_schedules.name IS 'Unique name, across all organizations';
COMMENT ON COLUMN "${schema}".job_schedules.job_type IS 'Type of the jobs it makes';
COMMENT ON COLUMN "${schema}".job_schedules.cron_expr IS 'Cron expression; null for an interval schedule';
COMMENT ON COLUMN "${schema}".job_schedules.timezone IS 'IANA zone the cron expression is read in';
COMMENT ON COLUMN "${schema}".job_schedules.misfire_policy IS 'SKIP, ONE or ALL: what becomes of missed fires';
COMMENT ON COLUMN "${schema}".job_schedules.overlap_policy IS 'ALLOW or SKIP: what happens while the last job is live';
COMMENT ON COLUMN "${schema}".job_schedules.payload_template IS 'Payload of the jobs; the fire''s own facts are added';

CREATE TABLE "${schema}".job_schedule_fires (
    schedule_id uuid NOT NULL,
    job_id uuid,
    scheduled_for timestamptz NOT NULL,
    fired_at timestamptz NOT NULL DEFAULT now(),
    outcome text NOT NULL,
    CONSTRAINT job_schedule_fires_pkey PRIMARY KEY (schedule_id, scheduled_for),
    CONSTRAINT fk_job_schedule_fires_schedule FOREIGN KEY (schedule_id) REFERENCES "${schema}".job_schedules (id) ON DELETE CASCADE,
    CONSTRAINT fk_job_schedule_fires_job FOREIGN KEY (job_id) REFERENCES "${schema}".job_queue (id) ON DELETE SET NULL,
    CONSTRAINT chk_job_schedule_fires_outcome CHECK (outcome IN ('FIRED', 'SKIPPED_OVERLAP', 'SKIPPED_MISFIRE'))
);
CREATE INDEX idx_job_schedule_fires_job ON "${schema}".job_schedule_fires (job_id) WHERE job_id IS NOT NULL;
COMMENT ON TABLE "${schema}".job_schedule_fires IS 'What became of each scheduled instant; the key makes a fire happen once';
COMMENT ON COLUMN "${schema}".job_schedule_fires.schedule_id IS 'The schedule';
COMMENT ON COLUMN "${schema}".job_schedule_fires.job_id IS 'The job it made; null when skipped or pruned';
COMMENT ON COLUMN "${schema}".job_schedule_fires.scheduled_for IS 'The instant the schedule asked for';
COMMENT ON COLUMN "${schema}".job_schedule_fires.fired_at IS 'When it was handled';
COMMENT ON COLUMN "${schema}".job_schedule_fires.outcome IS 'FIRED, SKIPPED_OVERLAP or SKIPPED_MISFIRE';

INSERT INTO "${schema}".runledger_migration_history (version) VALUES (3);
