CREATE TABLE "${schema}".workflow_runs (
    id uuid NOT NULL DEFAULT "${schema}".uuidv7(),
    organization_id uuid,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    paused_at timestamptz,
    status "${schema}".workflow_run_status NOT NULL DEFAULT 'RUNNING',
    open_steps integer NOT NULL DEFAULT 0,
    active_steps integer NOT NULL DEFAULT 0,
    waiting_steps integer NOT NULL DEFAULT 0,
    error_steps integer NOT NULL DEFAULT 0,
    workflow_type text NOT NULL,
    idempotency_key text,
    result_step_key text,
    status_reason text,
    pause_reason text,
    context_merge text NOT NULL DEFAULT 'REPLACE',
    metadata jsonb NOT NULL DEFAULT '{}',
    context jsonb NOT NULL DEFAULT '{}',
    enqueue_request jsonb,
    result jsonb,
    headers jsonb,
    CONSTRAINT workflow_runs_pkey PRIMARY KEY (id),
    CONSTRAINT chk_workflow_runs_workflow_type_not_blank CHECK (length(trim(workflow_type)) > 0),
    CONSTRAINT chk_workflow_runs_idempotency_key_not_blank CHECK (idempotency_key IS NULL OR length(trim(idempotency_key)) > 0),
    CONSTRAINT ck_workflow_runs_idempotency_enqueue_request CHECK (idempotency_key IS NULL OR enqueue_request IS NOT NULL),
    CONSTRAINT chk_workflow_runs_result_step_key_not_blank CHECK (result_step_key IS NULL OR length(trim(result_step_key)) > 0),
    CONSTRAINT chk_workflow_runs_context CHECK (jsonb_typeof(context) = 'object'),
    CONSTRAINT chk_workflow_runs_context_merge CHECK (context_merge IN ('REPLACE', 'KEEP', 'REFUSE')),
    CONSTRAINT chk_workflow_runs_counters CHECK (
        active_steps >= 0 AND waiting_steps >= 0 AND error_steps >= 0 AND open_steps >= active_steps + waiting_steps
    ),
    CONSTRAINT chk_workflow_runs_pause_shape CHECK (
        CASE WHEN paused_at IS NULL THEN pause_reason IS NULL ELSE finished_at IS NULL END
    ),
    CONSTRAINT chk_workflow_runs_finished_shape CHECK (
        (finished_at IS NOT NULL) = (status IN ('SUCCEEDED', 'COMPLETED_WITH_ERRORS', 'CANCELED'))
    )
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
CREATE UNIQUE INDEX uq_workflow_runs_type_idempotency ON "${schema}".workflow_runs (idempotency_key, workflow_type, organization_id)
    NULLS NOT DISTINCT WHERE idempotency_key IS NOT NULL;
CREATE INDEX idx_workflow_runs_live ON "${schema}".workflow_runs (workflow_type, id) WHERE status IN ('RUNNING', 'WAITING_FOR_EXTERNAL');
CREATE INDEX idx_workflow_runs_ended ON "${schema}".workflow_runs (status, finished_at, id) WHERE finished_at IS NOT NULL;
CREATE INDEX idx_workflow_runs_type ON "${schema}".workflow_runs (workflow_type, id);
CREATE INDEX idx_workflow_runs_organization ON "${schema}".workflow_runs (organization_id, id) WHERE organization_id IS NOT NULL;
COMMENT ON TABLE "${schema}".workflow_runs IS 'One row per workflow run; its lock comes first in every change of the run';
COMMENT ON COLUMN "${schema}".workflow_runs.id IS 'Time-ordered id; newest first is descending id';
COMMENT ON COLUMN "${schema}".workflow_runs.organization_id IS 'Tenant the run belongs to; null for a global run';
COMMENT ON COLUMN "${schema}".workflow_runs.started_at IS 'When it was enqueued';
COMMENT ON COLUMN "${schema}".workflow_runs.finished_at IS 'When it ended; set exactly in the three end states';
COMMENT ON COLUMN "${schema}".workflow_runs.created_at IS 'When the row was made';
COMMENT ON COLUMN "${schema}".workflow_runs.updated_at IS 'When the row last changed; set by the statements, not by a trigger';
COMMENT ON COLUMN "${schema}".workflow_runs.paused_at IS 'Since when none of its steps starts; null unless it is paused, and always once it ended';
COMMENT ON COLUMN "${schema}".workflow_runs.status IS 'Where it stands; follows from the counters';
COMMENT ON COLUMN "${schema}".workflow_runs.open_steps IS 'Steps that have not ended';
COMMENT ON COLUMN "${schema}".workflow_runs.active_steps IS 'Steps whose job is queued or running';
COMMENT ON COLUMN "${schema}".workflow_runs.waiting_steps IS 'Open gates';
COMMENT ON COLUMN "${schema}".workflow_runs.error_steps IS
    'Steps that failed or were canceled; not those whose dependencies could not be satisfied, they follow from others';
COMMENT ON COLUMN "${schema}".workflow_runs.workflow_type IS 'Name of the workflow';
COMMENT ON COLUMN "${schema}".workflow_runs.idempotency_key IS 'Unique per workflow type and organization, for as long as the run is kept';
COMMENT ON COLUMN "${schema}".workflow_runs.result_step_key IS 'The step whose output becomes the result';
COMMENT ON COLUMN "${schema}".workflow_runs.status_reason IS 'Why it was canceled';
COMMENT ON COLUMN "${schema}".workflow_runs.pause_reason IS 'Why it is paused';
COMMENT ON COLUMN "${schema}".workflow_runs.context_merge IS 'REPLACE, KEEP or REFUSE: what a contribution does to a name that is there already';
COMMENT ON COLUMN "${schema}".workflow_runs.metadata IS 'What the caller wanted kept with the run';
COMMENT ON COLUMN "${schema}".workflow_runs.context IS 'What its steps share: given at the start, added to by steps that succeed';
COMMENT ON COLUMN "${schema}".workflow_runs.enqueue_request IS 'Canonical request, compared when the key is used again and replayed by a recovery';
COMMENT ON COLUMN "${schema}".workflow_runs.result IS 'Output of the result step of a run that succeeded';
COMMENT ON COLUMN "${schema}".workflow_runs.headers IS 'Texts by name that each job of its steps carries; null when there are none. Not secret';

-- A step says only what its job does not. The id of the job is known from the beginning, and the job exists once the step is released. From
-- then on the job tells how the step stands, so that a release inserts a job, a claim and an ending write the job, and none of them writes
-- the step. The view workflow_steps tells both together.
CREATE TABLE "${schema}".workflow_step_rows (
    id uuid NOT NULL DEFAULT "${schema}".uuidv7(),
    workflow_run_id uuid NOT NULL,
    organization_id uuid,
    job_id uuid,
    released_at timestamptz,
    finished_at timestamptz,
    expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    ordinal integer NOT NULL,
    execution_kind "${schema}".workflow_step_execution_kind NOT NULL DEFAULT 'JOB',
    status "${schema}".workflow_step_status NOT NULL DEFAULT 'BLOCKED',
    dependency_count_total integer NOT NULL DEFAULT 0,
    dependency_count_pending integer NOT NULL DEFAULT 0,
    dependency_count_unsatisfied integer NOT NULL DEFAULT 0,
    priority integer,
    max_attempts integer,
    timeout_seconds integer,
    delay_seconds integer,
    expires_after_seconds integer,
    allow_handler_continuation boolean NOT NULL DEFAULT false,
    is_open_gate boolean NOT NULL GENERATED ALWAYS AS (status = 'WAITING_FOR_EXTERNAL') STORED,
    step_key text NOT NULL,
    job_type text,
    stage text,
    expiry_outcome text,
    status_reason text,
    last_error_code text,
    last_error_message text,
    payload jsonb NOT NULL DEFAULT '{}',
    output jsonb,
    retry_policy jsonb,
    condition jsonb,
    headers jsonb,
    CONSTRAINT workflow_steps_pkey PRIMARY KEY (id),
    CONSTRAINT uq_workflow_steps_run_step_key UNIQUE (workflow_run_id, step_key),
    CONSTRAINT uq_workflow_steps_job_id UNIQUE (job_id),
    CONSTRAINT chk_workflow_steps_step_key_not_blank CHECK (length(trim(step_key)) > 0),
    CONSTRAINT chk_workflow_steps_job_type_not_blank CHECK (job_type IS NULL OR length(trim(job_type)) > 0),
    CONSTRAINT chk_workflow_steps_stage_not_blank CHECK (stage IS NULL OR length(trim(stage)) > 0),
    CONSTRAINT chk_workflow_steps_max_attempts_positive CHECK (max_attempts IS NULL OR max_attempts > 0),
    CONSTRAINT chk_workflow_steps_timeout_positive CHECK (timeout_seconds IS NULL OR timeout_seconds > 0),
    CONSTRAINT chk_workflow_steps_delay_nonnegative CHECK (delay_seconds IS NULL OR delay_seconds >= 0),
    CONSTRAINT chk_workflow_steps_condition CHECK (condition IS NULL OR jsonb_typeof(condition) = 'object'),
    CONSTRAINT chk_workflow_steps_expiry_shape CHECK (
        (expires_after_seconds IS NULL) = (expiry_outcome IS NULL)
        AND (expires_after_seconds IS NULL OR expires_after_seconds > 0)
        AND (expiry_outcome IS NULL OR expiry_outcome IN ('FAILED', 'CANCELED'))
    ),
    CONSTRAINT chk_workflow_steps_dependency_counts_nonnegative CHECK (
        dependency_count_pending >= 0 AND dependency_count_unsatisfied >= 0
        AND dependency_count_pending <= dependency_count_total AND dependency_count_unsatisfied <= dependency_count_total
    ),
    CONSTRAINT chk_workflow_steps_execution_shape CHECK (
        CASE execution_kind
            WHEN 'JOB' THEN job_id IS NOT NULL AND job_type IS NOT NULL AND priority IS NOT NULL AND max_attempts IS NOT NULL
                AND timeout_seconds IS NOT NULL AND stage IS NOT NULL AND expires_after_seconds IS NULL
            ELSE job_id IS NULL AND job_type IS NULL AND priority IS NULL AND max_attempts IS NULL AND timeout_seconds IS NULL
                AND stage IS NULL AND delay_seconds IS NULL AND retry_policy IS NULL
        END
    ),
    CONSTRAINT chk_workflow_steps_own_status CHECK (
        CASE execution_kind
            WHEN 'JOB' THEN status IN ('BLOCKED', 'CANCELED', 'SKIPPED') AND released_at IS NULL AND output IS NULL
            ELSE status NOT IN ('ENQUEUED', 'RUNNING')
        END
    ),
    CONSTRAINT chk_workflow_steps_handler_continuation_job_only CHECK (execution_kind = 'JOB' OR NOT allow_handler_continuation)
-- Only gates and steps that wait for several others get new versions: some room is left for those on each page.
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
-- No index names the status: a step that ends changes nothing that is indexed.
CREATE INDEX idx_workflow_steps_open_gates ON "${schema}".workflow_step_rows (released_at, id) WHERE is_open_gate;
CREATE INDEX idx_workflow_steps_expiring_gates ON "${schema}".workflow_step_rows (expires_at) WHERE is_open_gate AND expires_at IS NOT NULL;
COMMENT ON TABLE "${schema}".workflow_step_rows IS
    'The steps of the runs as declared, and the own state of gates and of steps without a job; the view workflow_steps adds the jobs';
COMMENT ON COLUMN "${schema}".workflow_step_rows.id IS 'Time-ordered id';
COMMENT ON COLUMN "${schema}".workflow_step_rows.workflow_run_id IS 'The run';
COMMENT ON COLUMN "${schema}".workflow_step_rows.organization_id IS 'Tenant its job belongs to: its own, else the run''s';
COMMENT ON COLUMN "${schema}".workflow_step_rows.job_id IS
    'The id that its job has once it is released; no foreign key, because the job does not exist before';
COMMENT ON COLUMN "${schema}".workflow_step_rows.released_at IS
    'When its gate opened; null for a job step, whose job says when it was queued';
COMMENT ON COLUMN "${schema}".workflow_step_rows.finished_at IS 'When a gate, or a step without a job, ended';
COMMENT ON COLUMN "${schema}".workflow_step_rows.expires_at IS 'When an open gate ends by itself';
COMMENT ON COLUMN "${schema}".workflow_step_rows.created_at IS 'When it was declared or appended';
COMMENT ON COLUMN "${schema}".workflow_step_rows.updated_at IS 'When the row last changed; set by the statements, not by a trigger';
COMMENT ON COLUMN "${schema}".workflow_step_rows.ordinal IS 'Its place in the order of declaration';
COMMENT ON COLUMN "${schema}".workflow_step_rows.execution_kind IS 'JOB or EXTERNAL';
COMMENT ON COLUMN "${schema}".workflow_step_rows.status IS
    'Its own state. A job step is BLOCKED, CANCELED or SKIPPED; once its job exists, the job''s status counts instead';
COMMENT ON COLUMN "${schema}".workflow_step_rows.dependency_count_total IS 'Dependencies declared';
COMMENT ON COLUMN "${schema}".workflow_step_rows.dependency_count_pending IS
    'Dependencies whose prerequisite has not ended; without meaning once its job exists';
COMMENT ON COLUMN "${schema}".workflow_step_rows.dependency_count_unsatisfied IS
    'Dependencies that can no longer be satisfied; without meaning once its job exists';
COMMENT ON COLUMN "${schema}".workflow_step_rows.priority IS 'Priority of its job, already resolved';
COMMENT ON COLUMN "${schema}".workflow_step_rows.max_attempts IS 'Attempts of its job, already resolved';
COMMENT ON COLUMN "${schema}".workflow_step_rows.timeout_seconds IS 'Timeout of its job, already resolved';
COMMENT ON COLUMN "${schema}".workflow_step_rows.delay_seconds IS 'How long after release its job becomes due';
COMMENT ON COLUMN "${schema}".workflow_step_rows.expires_after_seconds IS 'How long a gate stays open';
COMMENT ON COLUMN "${schema}".workflow_step_rows.allow_handler_continuation IS 'Whether its handler may continue in a further run';
COMMENT ON COLUMN "${schema}".workflow_step_rows.is_open_gate IS 'Whether it is a gate that waits for somebody';
COMMENT ON COLUMN "${schema}".workflow_step_rows.step_key IS 'Its name, unique within the run';
COMMENT ON COLUMN "${schema}".workflow_step_rows.job_type IS 'Type of its job; null for a gate';
COMMENT ON COLUMN "${schema}".workflow_step_rows.stage IS 'Initial stage of its job; null for a gate';
COMMENT ON COLUMN "${schema}".workflow_step_rows.expiry_outcome IS 'FAILED or CANCELED: how a gate ends at its deadline';
COMMENT ON COLUMN "${schema}".workflow_step_rows.status_reason IS 'Why it has its own state';
COMMENT ON COLUMN "${schema}".workflow_step_rows.last_error_code IS 'Code with which a gate, or a step without a job, ended';
COMMENT ON COLUMN "${schema}".workflow_step_rows.last_error_message IS 'Message with which a gate, or a step without a job, ended';
COMMENT ON COLUMN "${schema}".workflow_step_rows.payload IS 'What its handler, or whoever completes the gate, gets';
COMMENT ON COLUMN "${schema}".workflow_step_rows.output IS 'What a gate was completed with; null when nothing';
COMMENT ON COLUMN "${schema}".workflow_step_rows.retry_policy IS 'Its own retry policy; null means that of its job type';
COMMENT ON COLUMN "${schema}".workflow_step_rows.condition IS
    'What must be true for it to run, judged once when everything it waits for has ended; null means that it runs in any case';
COMMENT ON COLUMN "${schema}".workflow_step_rows.headers IS 'Headers that its job has beside those of the run; null when there are none';

-- The steps as they stand: once the job of a step exists, it says how far the step has come.
CREATE VIEW "${schema}".workflow_steps AS
SELECT
    s.id, s.workflow_run_id, s.organization_id, q.id AS job_id, coalesce(q.created_at, s.released_at) AS released_at,
    -- A continuation clears the job's own start, but its first attempt keeps it.
    CASE WHEN q.run_number = 1 THEN q.started_at WHEN q.run_number > 1 THEN (
        SELECT a.leased_at FROM "${schema}".job_attempts a WHERE a.job_id = q.id AND a.run_number = 1 AND a.attempt = 1
    ) END AS started_at,
    coalesce(q.finished_at, s.finished_at) AS finished_at, s.expires_at, s.created_at, greatest(s.updated_at, q.updated_at) AS updated_at,
    s.ordinal, s.execution_kind,
    CASE q.status
        WHEN 'PENDING' THEN 'ENQUEUED'::"${schema}".workflow_step_status WHEN 'LEASED' THEN 'RUNNING' WHEN 'SUCCEEDED' THEN 'SUCCEEDED'
        WHEN 'DEAD_LETTERED' THEN 'FAILED' WHEN 'CANCELED' THEN 'CANCELED' ELSE s.status
    END AS status,
    s.dependency_count_total,
    CASE WHEN q.id IS NULL THEN s.dependency_count_pending ELSE 0 END AS dependency_count_pending,
    CASE WHEN q.id IS NULL THEN s.dependency_count_unsatisfied ELSE 0 END AS dependency_count_unsatisfied,
    s.priority, s.max_attempts, s.timeout_seconds, s.delay_seconds, s.expires_after_seconds, s.allow_handler_continuation, s.is_open_gate,
    s.step_key, s.job_type, s.stage, s.expiry_outcome,
    CASE WHEN q.id IS NULL THEN s.status_reason WHEN q.status = 'SUCCEEDED' THEN 'SUCCEEDED' ELSE q.status_reason END AS status_reason,
    CASE WHEN q.id IS NULL THEN s.last_error_code ELSE q.last_error_code END AS last_error_code,
    CASE WHEN q.id IS NULL THEN s.last_error_message ELSE q.last_error_message END AS last_error_message,
    s.payload, coalesce(q.output, s.output) AS output, s.retry_policy, s.condition, s.headers
FROM "${schema}".workflow_step_rows s LEFT JOIN "${schema}".job_queue q ON q.id = s.job_id;
COMMENT ON VIEW "${schema}".workflow_steps IS 'The steps of the runs, jobs and gates, as they stand';
COMMENT ON COLUMN "${schema}".workflow_steps.id IS 'Time-ordered id';
COMMENT ON COLUMN "${schema}".workflow_steps.workflow_run_id IS 'The run';
COMMENT ON COLUMN "${schema}".workflow_steps.organization_id IS 'Tenant its job belongs to: its own, else the run''s';
COMMENT ON COLUMN "${schema}".workflow_steps.job_id IS 'Its job, once released';
COMMENT ON COLUMN "${schema}".workflow_steps.released_at IS 'When its job was queued or its gate opened';
COMMENT ON COLUMN "${schema}".workflow_steps.started_at IS 'When its job was first claimed';
COMMENT ON COLUMN "${schema}".workflow_steps.finished_at IS 'When it ended';
COMMENT ON COLUMN "${schema}".workflow_steps.expires_at IS 'When an open gate ends by itself';
COMMENT ON COLUMN "${schema}".workflow_steps.created_at IS 'When it was declared or appended';
COMMENT ON COLUMN "${schema}".workflow_steps.updated_at IS 'When the step or its job last changed';
COMMENT ON COLUMN "${schema}".workflow_steps.ordinal IS 'Its place in the order of declaration';
COMMENT ON COLUMN "${schema}".workflow_steps.execution_kind IS 'JOB or EXTERNAL';
COMMENT ON COLUMN "${schema}".workflow_steps.status IS 'Where it stands';
COMMENT ON COLUMN "${schema}".workflow_steps.dependency_count_total IS 'Dependencies declared';
COMMENT ON COLUMN "${schema}".workflow_steps.dependency_count_pending IS
    'Dependencies whose prerequisite has not ended; 0 once it was released';
COMMENT ON COLUMN "${schema}".workflow_steps.dependency_count_unsatisfied IS
    'Dependencies that can no longer be satisfied; 0 once it was released';
COMMENT ON COLUMN "${schema}".workflow_steps.priority IS 'Priority of its job, already resolved';
COMMENT ON COLUMN "${schema}".workflow_steps.max_attempts IS 'Attempts of its job, already resolved';
COMMENT ON COLUMN "${schema}".workflow_steps.timeout_seconds IS 'Timeout of its job, already resolved';
COMMENT ON COLUMN "${schema}".workflow_steps.delay_seconds IS 'How long after release its job becomes due';
COMMENT ON COLUMN "${schema}".workflow_steps.expires_after_seconds IS 'How long a gate stays open';
COMMENT ON COLUMN "${schema}".workflow_steps.allow_handler_continuation IS 'Whether its handler may continue in a further run';
COMMENT ON COLUMN "${schema}".workflow_steps.is_open_gate IS 'Whether it is a gate that waits for somebody';
COMMENT ON COLUMN "${schema}".workflow_steps.step_key IS 'Its name, unique within the run';
COMMENT ON COLUMN "${schema}".workflow_steps.job_type IS 'Type of its job; null for a gate';
COMMENT ON COLUMN "${schema}".workflow_steps.stage IS 'Initial stage of its job; null for a gate';
COMMENT ON COLUMN "${schema}".workflow_steps.expiry_outcome IS 'FAILED or CANCELED: how a gate ends at its deadline';
COMMENT ON COLUMN "${schema}".workflow_steps.status_reason IS 'Why it is where it is';
COMMENT ON COLUMN "${schema}".workflow_steps.last_error_code IS 'Code of the last failure';
COMMENT ON COLUMN "${schema}".workflow_steps.last_error_message IS 'Message of the last failure';
COMMENT ON COLUMN "${schema}".workflow_steps.payload IS 'What its handler, or whoever completes the gate, gets';
COMMENT ON COLUMN "${schema}".workflow_steps.output IS 'What it returned; null when nothing';
COMMENT ON COLUMN "${schema}".workflow_steps.retry_policy IS 'Its own retry policy; null means that of its job type';
COMMENT ON COLUMN "${schema}".workflow_steps.condition IS
    'What must be true for it to run, judged once when everything it waits for has ended; null means that it runs in any case';
COMMENT ON COLUMN "${schema}".workflow_steps.headers IS 'Headers that its job has beside those of the run; null when there are none';

ALTER TABLE "${schema}".workflow_runs ADD CONSTRAINT fk_workflow_runs_result_step
    FOREIGN KEY (id, result_step_key) REFERENCES "${schema}".workflow_step_rows (workflow_run_id, step_key) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE "${schema}".workflow_step_dependencies (
    workflow_run_id uuid NOT NULL,
    prerequisite_step_id uuid NOT NULL,
    dependent_step_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    release_mode "${schema}".workflow_dependency_release_mode NOT NULL DEFAULT 'ON_TERMINAL',
    input_name text,
    CONSTRAINT pk_workflow_step_dependencies PRIMARY KEY (workflow_run_id, prerequisite_step_id, dependent_step_id),
    CONSTRAINT chk_workflow_step_dependencies_no_self_reference CHECK (prerequisite_step_id <> dependent_step_id),
    CONSTRAINT chk_workflow_step_dependencies_input_name_not_blank CHECK (input_name IS NULL OR length(trim(input_name)) > 0)
);
CREATE INDEX idx_workflow_step_dependencies_dependent ON "${schema}".workflow_step_dependencies (dependent_step_id);
COMMENT ON TABLE "${schema}".workflow_step_dependencies IS 'Which step waits for which; both ends belong to the same run';
COMMENT ON COLUMN "${schema}".workflow_step_dependencies.workflow_run_id IS 'The run';
COMMENT ON COLUMN "${schema}".workflow_step_dependencies.prerequisite_step_id IS 'The step that must end first';
COMMENT ON COLUMN "${schema}".workflow_step_dependencies.dependent_step_id IS 'The step that waits';
COMMENT ON COLUMN "${schema}".workflow_step_dependencies.created_at IS 'When it was declared';
COMMENT ON COLUMN "${schema}".workflow_step_dependencies.release_mode IS 'Which endings satisfy it';
COMMENT ON COLUMN "${schema}".workflow_step_dependencies.input_name IS
    'Which input of the dependent the output of the prerequisite is; null when it only waits for it';

CREATE TABLE "${schema}".workflow_step_journal (
    id bigint GENERATED ALWAYS AS IDENTITY,
    workflow_run_id uuid NOT NULL,
    step_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL DEFAULT now(),
    event_type "${schema}".workflow_step_event_type NOT NULL,
    payload jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT workflow_step_journal_pkey PRIMARY KEY (id)
);
CREATE INDEX idx_workflow_step_journal_step ON "${schema}".workflow_step_journal (workflow_run_id, step_id, id);
COMMENT ON TABLE "${schema}".workflow_step_journal IS
    'Step events that stand in no other row: edits, resets, and what a reset overwrote; the whole story is the view workflow_step_events';
COMMENT ON COLUMN "${schema}".workflow_step_journal.id IS 'Order of writing';
COMMENT ON COLUMN "${schema}".workflow_step_journal.workflow_run_id IS 'The run';
COMMENT ON COLUMN "${schema}".workflow_step_journal.step_id IS 'The step';
COMMENT ON COLUMN "${schema}".workflow_step_journal.occurred_at IS 'When it happened';
COMMENT ON COLUMN "${schema}".workflow_step_journal.event_type IS 'What happened';
COMMENT ON COLUMN "${schema}".workflow_step_journal.payload IS 'The event''s own facts';

CREATE TABLE "${schema}".workflow_run_journal (
    workflow_run_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    occurred_at timestamptz NOT NULL DEFAULT now(),
    event_type text NOT NULL,
    reason text,
    CONSTRAINT workflow_run_journal_pkey PRIMARY KEY (workflow_run_id, id),
    CONSTRAINT fk_workflow_run_journal_workflow_run FOREIGN KEY (workflow_run_id)
        REFERENCES "${schema}".workflow_runs (id) ON DELETE CASCADE,
    CONSTRAINT chk_workflow_run_journal_event_type CHECK (event_type IN ('PAUSED', 'RESUMED'))
);
COMMENT ON TABLE "${schema}".workflow_run_journal IS 'What happened to runs as a whole and stands in no other row: pauses and resumes';
COMMENT ON COLUMN "${schema}".workflow_run_journal.workflow_run_id IS 'The run';
COMMENT ON COLUMN "${schema}".workflow_run_journal.id IS 'Order of writing';
COMMENT ON COLUMN "${schema}".workflow_run_journal.occurred_at IS 'When it happened';
COMMENT ON COLUMN "${schema}".workflow_run_journal.event_type IS 'PAUSED or RESUMED';
COMMENT ON COLUMN "${schema}".workflow_run_journal.reason IS 'Why';

CREATE TABLE "${schema}".workflow_run_mutations (
    id uuid NOT NULL DEFAULT "${schema}".uuidv7(),
    workflow_run_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    mutation_kind text NOT NULL DEFAULT 'APPEND_STEPS',
    mutation_key text NOT NULL,
    metadata jsonb NOT NULL DEFAULT '{}',
    request jsonb NOT NULL,
    CONSTRAINT workflow_run_mutations_pkey PRIMARY KEY (id),
    CONSTRAINT uq_workflow_run_mutations_run_mutation_key UNIQUE (workflow_run_id, mutation_key),
    CONSTRAINT fk_workflow_run_mutations_workflow_run FOREIGN KEY (workflow_run_id)
        REFERENCES "${schema}".workflow_runs (id) ON DELETE CASCADE,
    CONSTRAINT chk_workflow_run_mutations_mutation_key_not_blank CHECK (length(trim(mutation_key)) > 0),
    CONSTRAINT chk_workflow_run_mutations_kind CHECK (mutation_kind IN ('APPEND_STEPS', 'RETRY_FAILED'))
);
CREATE TRIGGER trg_workflow_run_mutations_set_updated_at BEFORE UPDATE ON "${schema}".workflow_run_mutations
    FOR EACH ROW EXECUTE FUNCTION "${schema}".set_updated_at_timestamp();
COMMENT ON TABLE "${schema}".workflow_run_mutations IS 'Changes made to a run after it started, each under a key that makes it repeatable';
COMMENT ON COLUMN "${schema}".workflow_run_mutations.id IS 'Time-ordered id';
COMMENT ON COLUMN "${schema}".workflow_run_mutations.workflow_run_id IS 'The run';
COMMENT ON COLUMN "${schema}".workflow_run_mutations.created_at IS 'When it was applied';
COMMENT ON COLUMN "${schema}".workflow_run_mutations.updated_at IS 'When the row last changed';
COMMENT ON COLUMN "${schema}".workflow_run_mutations.mutation_kind IS 'APPEND_STEPS or RETRY_FAILED';
COMMENT ON COLUMN "${schema}".workflow_run_mutations.mutation_key IS 'Unique within the run';
COMMENT ON COLUMN "${schema}".workflow_run_mutations.metadata IS 'What the caller wanted kept; not compared';
COMMENT ON COLUMN "${schema}".workflow_run_mutations.request IS 'Canonical request, compared when the key is used again';

CREATE TABLE "${schema}".workflow_active_claims (
    workflow_run_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    release_pending boolean NOT NULL DEFAULT false,
    scope text NOT NULL,
    active_key text NOT NULL,
    CONSTRAINT pk_workflow_active_claims PRIMARY KEY (scope, active_key),
    CONSTRAINT uq_workflow_active_claims_run UNIQUE (workflow_run_id),
    CONSTRAINT fk_workflow_active_claims_run FOREIGN KEY (workflow_run_id) REFERENCES "${schema}".workflow_runs (id) ON DELETE CASCADE,
    CONSTRAINT chk_workflow_active_claims_scope_not_blank CHECK ("${schema}".is_visible(scope)),
    CONSTRAINT chk_workflow_active_claims_key_not_blank CHECK ("${schema}".is_visible(active_key) AND octet_length(active_key) <= 512)
);
CREATE INDEX idx_workflow_active_claims_release_pending ON "${schema}".workflow_active_claims (updated_at, workflow_run_id)
    WHERE release_pending;
CREATE TRIGGER trg_workflow_active_claims_set_updated_at BEFORE UPDATE ON "${schema}".workflow_active_claims
    FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION "${schema}".set_updated_at_timestamp();
COMMENT ON TABLE "${schema}".workflow_active_claims IS 'Which live run holds which active key';
COMMENT ON COLUMN "${schema}".workflow_active_claims.workflow_run_id IS 'The run that holds the key';
COMMENT ON COLUMN "${schema}".workflow_active_claims.created_at IS 'When it took the key';
COMMENT ON COLUMN "${schema}".workflow_active_claims.updated_at IS 'When the row last changed';
COMMENT ON COLUMN "${schema}".workflow_active_claims.release_pending IS 'The run ended but a canceled handler may still be running';
COMMENT ON COLUMN "${schema}".workflow_active_claims.scope IS 'global, or organization: and its id';
COMMENT ON COLUMN "${schema}".workflow_active_claims.active_key IS 'The key; independent of the workflow type';

CREATE TABLE "${schema}".workflow_recoveries (
    recovery_run_id uuid NOT NULL,
    source_run_id uuid NOT NULL,
    source_step_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    mode text NOT NULL,
    request_key text NOT NULL,
    reason text NOT NULL,
    CONSTRAINT workflow_recoveries_pkey PRIMARY KEY (recovery_run_id),
    CONSTRAINT uq_workflow_recoveries_source_request UNIQUE (source_run_id, request_key),
    -- Checked at the end, so that source and recovery can be deleted together.
    CONSTRAINT fk_workflow_recoveries_recovery_run FOREIGN KEY (recovery_run_id) REFERENCES "${schema}".workflow_runs (id)
        DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT fk_workflow_recoveries_source_run FOREIGN KEY (source_run_id) REFERENCES "${schema}".workflow_runs (id) ON DELETE CASCADE,
    CONSTRAINT chk_workflow_recoveries_distinct_runs CHECK (recovery_run_id <> source_run_id),
    CONSTRAINT chk_workflow_recoveries_request_key CHECK ("${schema}".is_visible(request_key) AND octet_length(request_key) <= 512),
    CONSTRAINT chk_workflow_recoveries_mode CHECK (mode IN ('FULL_REPLAY')),
    CONSTRAINT chk_workflow_recoveries_reason CHECK ("${schema}".is_visible(reason))
);
CREATE INDEX idx_workflow_recoveries_source_run ON "${schema}".workflow_recoveries (source_run_id, created_at);
COMMENT ON TABLE "${schema}".workflow_recoveries IS 'Which ended run a new run does again, by whose request';
COMMENT ON COLUMN "${schema}".workflow_recoveries.recovery_run_id IS 'The new run';
COMMENT ON COLUMN "${schema}".workflow_recoveries.source_run_id IS 'The run it does again';
COMMENT ON COLUMN "${schema}".workflow_recoveries.source_step_id IS 'The step that made it necessary, if named';
COMMENT ON COLUMN "${schema}".workflow_recoveries.created_at IS 'When it was asked for';
COMMENT ON COLUMN "${schema}".workflow_recoveries.mode IS 'FULL_REPLAY: every step runs again';
COMMENT ON COLUMN "${schema}".workflow_recoveries.request_key IS 'Makes the request repeatable';
COMMENT ON COLUMN "${schema}".workflow_recoveries.reason IS 'Why';

-- Steps refer to their run, and other rows to steps, without foreign keys: these took half the time of a start, because each row was
-- checked by a statement of its own although the same transaction had just written what it refers to. Every writer holds the run, so
-- nothing can be missing. What foreign keys would delete, these triggers delete, for all rows of a statement at once.
CREATE FUNCTION "${schema}".delete_steps_of_runs() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    DELETE FROM "${schema}".workflow_step_rows WHERE workflow_run_id = ANY (ARRAY(SELECT id FROM gone));
    RETURN NULL;
END
$body$;
COMMENT ON FUNCTION "${schema}".delete_steps_of_runs() IS 'Statement trigger: the steps of deleted runs go with them';
CREATE TRIGGER trg_workflow_runs_delete_steps AFTER DELETE ON "${schema}".workflow_runs REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION "${schema}".delete_steps_of_runs();
CREATE FUNCTION "${schema}".delete_rows_of_steps() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    DELETE FROM "${schema}".workflow_step_dependencies WHERE dependent_step_id = ANY (ARRAY(SELECT id FROM gone));
    DELETE FROM "${schema}".workflow_step_dependencies
    WHERE workflow_run_id = ANY (ARRAY(SELECT DISTINCT workflow_run_id FROM gone))
        AND prerequisite_step_id = ANY (ARRAY(SELECT id FROM gone));
    DELETE FROM "${schema}".workflow_step_journal
    WHERE workflow_run_id = ANY (ARRAY(SELECT DISTINCT workflow_run_id FROM gone)) AND step_id = ANY (ARRAY(SELECT id FROM gone));
    UPDATE "${schema}".workflow_recoveries SET source_step_id = NULL
    WHERE source_run_id = ANY (ARRAY(SELECT DISTINCT workflow_run_id FROM gone)) AND source_step_id = ANY (ARRAY(SELECT id FROM gone));
    RETURN NULL;
END
$body$;
COMMENT ON FUNCTION "${schema}".delete_rows_of_steps() IS 'Statement trigger: the dependencies and events of deleted steps go with them, and recoveries name them no more';
CREATE TRIGGER trg_workflow_steps_delete_rows AFTER DELETE ON "${schema}".workflow_step_rows REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION "${schema}".delete_rows_of_steps();

-- Called for steps that have a condition, when what they wait for has ended and the run is locked. Looks up by key what a part names and
-- nothing else. Numbers compare as numbers, texts by their code points, whatever the database's collation; nothing else has an order.
-- What it does not know is false: a row that somebody spoiled must not keep a run from going on.
CREATE FUNCTION "${schema}".workflow_condition_holds(run uuid, part jsonb) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $body$
DECLARE
    parts jsonb := coalesce(part -> 'all', part -> 'any', part -> 'none');
    operand jsonb := part -> 'operand';
    kind text := jsonb_typeof(operand);
    path text[];
    actual jsonb;
    place integer;
BEGIN
    IF jsonb_typeof(parts) = 'array' THEN
        RETURN (
            SELECT CASE
                WHEN part ? 'all' THEN coalesce(bool_and(judged.holds), true)
                WHEN part ? 'any' THEN coalesce(bool_or(judged.holds), false)
                ELSE NOT coalesce(bool_or(judged.holds), false)
            END
            FROM (SELECT "${schema}".workflow_condition_holds(run, each.value) AS holds FROM jsonb_array_elements(parts) each) judged
        );
    ELSIF part ? 'ended' THEN
        RETURN coalesce((
            SELECT CASE part ->> 'ended' WHEN 'FAILED' THEN s.status IN ('FAILED', 'CANCELED') ELSE s.status::text = part ->> 'ended' END
            FROM "${schema}".workflow_steps s WHERE s.workflow_run_id = run AND s.step_key = part ->> 'step'
        ), false);
    ELSIF jsonb_typeof(part -> 'path') IS DISTINCT FROM 'array' THEN
        RETURN false;
    END IF;

    path := ARRAY(SELECT jsonb_array_elements_text(part -> 'path'));
    IF part ? 'step' THEN
        SELECT s.output #> path INTO actual FROM "${schema}".workflow_steps s WHERE s.workflow_run_id = run AND s.step_key = part ->> 'step';
    ELSE
        SELECT r.context #> path INTO actual FROM "${schema}".workflow_runs r WHERE r.id = run;
    END IF;

    IF kind = jsonb_typeof(actual) AND kind = 'number' THEN
        place := CASE WHEN actual < operand THEN -1 WHEN actual > operand THEN 1 ELSE 0 END;
    ELSIF kind = jsonb_typeof(actual) AND kind = 'string' THEN
        place := CASE
            WHEN (actual #>> '{}') COLLATE "C" < (operand #>> '{}') COLLATE "C" THEN -1
            WHEN (actual #>> '{}') COLLATE "C" > (operand #>> '{}') COLLATE "C" THEN 1
            ELSE 0
        END;
    END IF;
    RETURN coalesce(CASE part ->> 'is'
        WHEN 'EXISTS' THEN actual IS NOT NULL
        WHEN 'EQUALS' THEN actual = operand
        WHEN 'NOT_EQUALS' THEN actual IS DISTINCT FROM operand
        WHEN 'GREATER_THAN' THEN place > 0
        WHEN 'AT_LEAST' THEN place >= 0
        WHEN 'LESS_THAN' THEN place < 0
        WHEN 'AT_MOST' THEN place <= 0
        WHEN 'CONTAINS' THEN CASE jsonb_typeof(actual)
            WHEN 'array' THEN (SELECT bool_or(each.value = operand) FROM jsonb_array_elements(actual) each)
            WHEN 'string' THEN kind = 'string' AND strpos(actual #>> '{}', operand #>> '{}') > 0
            WHEN 'object' THEN kind = 'string' AND actual ? (operand #>> '{}')
        END
    END, false);
END
$body$;
COMMENT ON FUNCTION "${schema}".workflow_condition_holds(uuid, jsonb) IS 'Whether a condition, or a part of one, is true for a run as it stands';

ALTER TABLE "${schema}".job_schedules
    ADD CONSTRAINT fk_job_schedules_last_run FOREIGN KEY (last_run_id) REFERENCES "${schema}".workflow_runs (id) ON DELETE SET NULL;
ALTER TABLE "${schema}".job_schedule_fires
    ADD CONSTRAINT fk_job_schedule_fires_run FOREIGN KEY (run_id) REFERENCES "${schema}".workflow_runs (id) ON DELETE SET NULL;

INSERT INTO "${schema}".runledger_migration_history (version) VALUES (4);

-- Jobs and steps refer to their definition without foreign keys: each row was checked by a statement of its own, a fifth to a quarter of the
-- server's time for a single enqueue, although every statement that inserts has just locked the definition. What is left to do for a
-- foreign key is to keep definitions that are in use. A delete waits for inserts under way, because it locks the row first.
CREATE FUNCTION "${schema}".keep_used_job_types() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
    used_by text := CASE
        WHEN EXISTS (SELECT FROM "${schema}".job_queue q WHERE q.job_type = OLD.job_type) THEN 'job_queue'
        WHEN EXISTS (SELECT FROM "${schema}".workflow_step_rows s WHERE s.job_type = OLD.job_type) THEN 'workflow_step_rows'
    END;
BEGIN
    IF used_by IS NOT NULL THEN
        RAISE foreign_key_violation USING
            MESSAGE = format('job type %L is in use: disable it instead', OLD.job_type),
            DETAIL = format('Key (job_type)=(%s) is still referenced from table "%s".', OLD.job_type, used_by),
            TABLE = used_by, SCHEMA = TG_TABLE_SCHEMA;
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$body$;
COMMENT ON FUNCTION "${schema}".keep_used_job_types() IS 'Row trigger: a job type that jobs or steps have is neither deleted nor renamed';
CREATE TRIGGER trg_job_definitions_keep_used BEFORE DELETE ON "${schema}".job_definitions
    FOR EACH ROW EXECUTE FUNCTION "${schema}".keep_used_job_types();
CREATE TRIGGER trg_job_definitions_keep_name BEFORE UPDATE OF job_type ON "${schema}".job_definitions
    FOR EACH ROW WHEN (OLD.job_type <> NEW.job_type) EXECUTE FUNCTION "${schema}".keep_used_job_types();
