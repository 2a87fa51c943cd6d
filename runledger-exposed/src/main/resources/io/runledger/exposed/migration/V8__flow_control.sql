-- Limits, strict order, fair shares and queues. A job that uses none of them has nulls in all these columns and is in no index of this file:
-- claims find it through idx_job_queue_claim as before. Every other job is in one flow group, whose jobs are alike in all of this.

ALTER TABLE "${schema}".job_definitions ADD COLUMN flow jsonb,
    ADD CONSTRAINT chk_job_definitions_flow_object CHECK (jsonb_typeof(flow) = 'object');
COMMENT ON COLUMN "${schema}".job_definitions.flow IS
    'Queue, limits, order and share of the jobs of this type; null if the type declares none';

ALTER TABLE "${schema}".workflow_step_rows ADD COLUMN flow jsonb,
    ADD CONSTRAINT chk_workflow_steps_flow_object CHECK (jsonb_typeof(flow) = 'object');
COMMENT ON COLUMN "${schema}".workflow_step_rows.flow IS
    'Queue, limits, order and share of the step''s job, as resolved when the step was inserted; null for a job without any';

ALTER TABLE "${schema}".job_queue
    ADD COLUMN flow_group uuid,
    ADD COLUMN order_position bigint,
    ADD COLUMN holds_order boolean,
    ADD COLUMN queue text,
    ADD COLUMN limit_keys text[],
    ADD COLUMN order_key text,
    ADD COLUMN share_key text;
COMMENT ON COLUMN "${schema}".job_queue.flow_group IS
    'Same for jobs of one type with the same queue, limit keys, order key and share; its first half is that of the share. Null for jobs without any of them';
COMMENT ON COLUMN "${schema}".job_queue.order_position IS 'Place in the order of its order key: the order of the commits of the enqueues';
COMMENT ON COLUMN "${schema}".job_queue.holds_order IS 'Whether the jobs behind it in its order wait while it is a dead letter';
COMMENT ON COLUMN "${schema}".job_queue.queue IS 'Named queue; null for the default queue';
COMMENT ON COLUMN "${schema}".job_queue.limit_keys IS 'What the job needs a permit of: names of limits, for a limit by key followed by a colon and the key';
COMMENT ON COLUMN "${schema}".job_queue.order_key IS 'Jobs with the same order key run one after another';
COMMENT ON COLUMN "${schema}".job_queue.share_key IS 'Jobs with the same share key have one share of the claims of their type';

-- A claim of jobs without flow control passes no job of a flow group.
DROP INDEX "${schema}".idx_job_queue_claim;
CREATE INDEX idx_job_queue_claim ON "${schema}".job_queue (job_type, is_paused, is_delayed, priority DESC, next_run_at, id)
    WHERE status = 'PENDING' AND flow_group IS NULL;
DROP INDEX "${schema}".idx_job_queue_delayed;
CREATE INDEX idx_job_queue_delayed ON "${schema}".job_queue (job_type, is_paused, next_run_at, priority)
    WHERE status = 'PENDING' AND is_delayed AND flow_group IS NULL;
-- From group to group within a priority, whatever the number of jobs in a group.
CREATE INDEX idx_job_queue_flow_due ON "${schema}".job_queue (job_type, priority DESC, flow_group, next_run_at, id)
    WHERE status = 'PENDING' AND NOT is_paused AND NOT is_delayed AND flow_group IS NOT NULL;
CREATE INDEX idx_job_queue_flow_delayed ON "${schema}".job_queue (job_type, next_run_at)
    WHERE status = 'PENDING' AND NOT is_paused AND is_delayed AND flow_group IS NOT NULL;
-- The permits in use. By the lease, which is random: entries of ended jobs are then replaced soon, and not passed until the next vacuum.
CREATE INDEX idx_job_queue_flow_leased ON "${schema}".job_queue (lease_id) WHERE status = 'LEASED' AND flow_group IS NOT NULL;
CREATE INDEX idx_job_queue_order ON "${schema}".job_queue (order_key, order_position)
    WHERE order_key IS NOT NULL AND (status IN ('PENDING', 'LEASED') OR status = 'DEAD_LETTERED' AND holds_order);
-- What waits in a queue.
CREATE INDEX idx_job_queue_queue ON "${schema}".job_queue (queue, status, id) WHERE queue IS NOT NULL AND finished_at IS NULL;

CREATE SEQUENCE "${schema}".job_order_positions;
-- At the commit, so that the positions have the order of the commits. An enqueue therefore waits for no other one with the same key.
CREATE FUNCTION "${schema}".set_order_position() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    UPDATE "${schema}".job_queue SET order_position = nextval('"${schema}".job_order_positions') WHERE id = NEW.id;
    RETURN NULL;
END
$body$;
COMMENT ON FUNCTION "${schema}".set_order_position() IS 'Gives a job with an order key its position, at the commit of its enqueue';
CREATE CONSTRAINT TRIGGER trg_job_queue_set_order_position AFTER INSERT ON "${schema}".job_queue
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.order_key IS NOT NULL)
    EXECUTE FUNCTION "${schema}".set_order_position();

CREATE TABLE "${schema}".limits (
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    rate_period_us bigint,
    declared_rate_period_us bigint,
    permits integer,
    rate_count integer,
    rate_burst integer,
    declared_permits integer,
    declared_rate_count integer,
    declared_rate_burst integer,
    is_changed boolean NOT NULL DEFAULT false,
    name text NOT NULL,
    keyed_by text NOT NULL DEFAULT 'NONE',
    CONSTRAINT limits_pkey PRIMARY KEY (name),
    CONSTRAINT chk_limits_name CHECK (name ~ '^(queue:)?[A-Za-z0-9][A-Za-z0-9._-]*$' AND length(name) <= 128),
    CONSTRAINT chk_limits_keyed_by CHECK (keyed_by IN ('NONE', 'ORGANIZATION', 'KEY')),
    CONSTRAINT chk_limits_permits_nonnegative CHECK (permits >= 0 AND declared_permits >= 0),
    CONSTRAINT chk_limits_rate CHECK (
        (rate_count IS NULL) = (rate_period_us IS NULL) AND (rate_count IS NULL) = (rate_burst IS NULL)
        AND rate_count > 0 IS NOT FALSE AND rate_period_us > 0 IS NOT FALSE AND rate_burst >= 0 IS NOT FALSE
    )
);
COMMENT ON TABLE "${schema}".limits IS
    'How many jobs run at once and begin in a period, for all jobs that name the limit or for each key. A queue has a row if it was paused or limited';
COMMENT ON COLUMN "${schema}".limits.created_at IS 'When the limit was first declared';
COMMENT ON COLUMN "${schema}".limits.updated_at IS 'When the row last changed';
COMMENT ON COLUMN "${schema}".limits.rate_period_us IS 'Period of the rate in microseconds; null without a rate';
COMMENT ON COLUMN "${schema}".limits.declared_rate_period_us IS 'The declared value of the same';
COMMENT ON COLUMN "${schema}".limits.permits IS 'Jobs that run at once, at most; 0 pauses, null does not limit them';
COMMENT ON COLUMN "${schema}".limits.rate_count IS 'Jobs that begin in a period; null without a rate';
COMMENT ON COLUMN "${schema}".limits.rate_burst IS 'Jobs that may begin in a period beyond the rate, after a time with fewer';
COMMENT ON COLUMN "${schema}".limits.declared_permits IS 'The declared value of permits';
COMMENT ON COLUMN "${schema}".limits.declared_rate_count IS 'The declared value of rate_count';
COMMENT ON COLUMN "${schema}".limits.declared_rate_burst IS 'The declared value of rate_burst';
COMMENT ON COLUMN "${schema}".limits.is_changed IS 'Whether an operator''s values are in force instead of the declared ones';
COMMENT ON COLUMN "${schema}".limits.name IS 'Name of the limit; that of a queue begins with queue:';
COMMENT ON COLUMN "${schema}".limits.keyed_by IS 'NONE: all jobs share the limit. ORGANIZATION, KEY: each organization or key has the whole limit';

CREATE TABLE "${schema}".limit_changes (
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    rate_period_us bigint,
    permits integer,
    rate_count integer,
    rate_burst integer,
    name text NOT NULL,
    changed_by text,
    reason text,
    CONSTRAINT limit_changes_pkey PRIMARY KEY (name, changed_at)
);
COMMENT ON TABLE "${schema}".limit_changes IS 'The values that each limit has had since each change';
COMMENT ON COLUMN "${schema}".limit_changes.changed_at IS 'When they came into force';
COMMENT ON COLUMN "${schema}".limit_changes.rate_period_us IS 'Period of the rate in microseconds';
COMMENT ON COLUMN "${schema}".limit_changes.permits IS 'Jobs that run at once';
COMMENT ON COLUMN "${schema}".limit_changes.rate_count IS 'Jobs that begin in a period';
COMMENT ON COLUMN "${schema}".limit_changes.rate_burst IS 'Jobs beyond the rate';
COMMENT ON COLUMN "${schema}".limit_changes.name IS 'Name of the limit';
COMMENT ON COLUMN "${schema}".limit_changes.changed_by IS 'The operator; null for a declaration by code';
COMMENT ON COLUMN "${schema}".limit_changes.reason IS 'Why; null for a declaration by code';

-- A claim locks the rows of the keys of the jobs it wants, and so decides alone about these keys.
CREATE TABLE "${schema}".limit_keys (
    spent_until timestamptz NOT NULL DEFAULT '-infinity',
    used_at timestamptz NOT NULL DEFAULT now(),
    limit_key text NOT NULL,
    CONSTRAINT limit_keys_pkey PRIMARY KEY (limit_key)
);
COMMENT ON TABLE "${schema}".limit_keys IS 'The keys of limits and orders that claims have used lately; retention removes those without a live job';
COMMENT ON COLUMN "${schema}".limit_keys.spent_until IS 'The rate is spent up to this instant: each job that begins moves it by the period divided by the count';
COMMENT ON COLUMN "${schema}".limit_keys.used_at IS 'When a claim created the row';
COMMENT ON COLUMN "${schema}".limit_keys.limit_key IS 'As in job_queue.limit_keys; for an order key preceded by order:';

CREATE TABLE "${schema}".share_weights (
    job_type text NOT NULL,
    share_key text NOT NULL,
    weight integer NOT NULL,
    CONSTRAINT share_weights_pkey PRIMARY KEY (job_type, share_key),
    CONSTRAINT chk_share_weights_weight CHECK (weight BETWEEN 1 AND 100)
);
COMMENT ON TABLE "${schema}".share_weights IS 'Shares that get more than one part of the claims of their type';
COMMENT ON COLUMN "${schema}".share_weights.job_type IS 'The job type';
COMMENT ON COLUMN "${schema}".share_weights.share_key IS 'The share';
COMMENT ON COLUMN "${schema}".share_weights.weight IS 'Its parts; a share without a row has 1';

-- Actions of operators on limits, queues and shares.
ALTER TABLE "${schema}".operator_actions
    DROP CONSTRAINT chk_operator_actions_action,
    DROP CONSTRAINT chk_operator_actions_target_kind,
    ADD CONSTRAINT chk_operator_actions_action CHECK (action IN (
        'job.enqueue', 'job.cancel', 'job.requeue', 'job.restart', 'job.replay', 'job.edit', 'job.run_now', 'job.reschedule',
        'job.reprioritize', 'workflow.start', 'workflow.cancel', 'workflow.pause', 'workflow.resume', 'workflow.append',
        'workflow.edit_step', 'workflow.retry_failed', 'workflow.recover', 'gate.complete', 'gate.fail', 'schedule.pause',
        'schedule.resume', 'schedule.retime', 'schedule.fire', 'schedule.delete', 'worker.drain', 'worker.resume', 'worker.stop',
        'definition.change', 'definition.pause', 'definition.resume', 'definition.enable', 'definition.disable', 'definition.reset',
        'limit.change', 'limit.reset', 'queue.pause', 'queue.resume', 'share.weigh', 'action.undo'
    )),
    ADD CONSTRAINT chk_operator_actions_target_kind CHECK (target_kind IN (
        'JOB', 'JOBS', 'JOB_SELECTION', 'RUN', 'RUNS', 'SCHEDULE', 'JOB_TYPE', 'WORKERS', 'WORKER_ORDER', 'LIMIT', 'QUEUE', 'SHARE',
        'ACTION'
    ));
