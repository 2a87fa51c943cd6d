-- Written in the transaction of the change, and only for callers that name an actor: a service's own calls cost nothing.
CREATE TABLE "${schema}".operator_actions (
    id uuid NOT NULL DEFAULT "${schema}".uuidv7(),
    organization_id uuid,
    undone_by uuid,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    changed bigint NOT NULL DEFAULT 0,
    total bigint,
    actor text NOT NULL,
    action text NOT NULL,
    target_kind text NOT NULL,
    target text,
    step_key text,
    reason text,
    request_key text,
    details jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT operator_actions_pkey PRIMARY KEY (id),
    CONSTRAINT chk_operator_actions_changed_nonnegative CHECK (changed >= 0),
    CONSTRAINT chk_operator_actions_total_nonnegative CHECK (total >= 0),
    CONSTRAINT chk_operator_actions_actor_not_blank CHECK (length(trim(actor)) > 0),
    CONSTRAINT chk_operator_actions_action CHECK (action IN (
        'job.enqueue', 'job.cancel', 'job.requeue', 'job.restart', 'job.replay', 'job.edit', 'job.run_now', 'job.reschedule',
        'job.reprioritize', 'workflow.start', 'workflow.cancel', 'workflow.pause', 'workflow.resume', 'workflow.append',
        'workflow.edit_step', 'workflow.retry_failed', 'workflow.recover', 'gate.complete', 'gate.fail', 'schedule.pause',
        'schedule.resume', 'schedule.retime', 'schedule.fire', 'schedule.delete', 'worker.drain', 'worker.resume', 'worker.stop',
        'definition.change', 'definition.pause', 'definition.resume', 'definition.enable', 'definition.disable', 'definition.reset',
        'action.undo'
    )),
    CONSTRAINT chk_operator_actions_target_kind CHECK (target_kind IN (
        'JOB', 'JOBS', 'JOB_SELECTION', 'RUN', 'RUNS', 'SCHEDULE', 'JOB_TYPE', 'WORKERS', 'WORKER_ORDER', 'ACTION'
    )),
    CONSTRAINT chk_operator_actions_step_key CHECK (step_key IS NULL OR target_kind = 'RUN' AND target IS NOT NULL),
    CONSTRAINT chk_operator_actions_request_key_not_blank CHECK (length(trim(request_key)) > 0),
    CONSTRAINT chk_operator_actions_details_object CHECK (jsonb_typeof(details) = 'object')
);
CREATE UNIQUE INDEX uq_operator_actions_request_key ON "${schema}".operator_actions (request_key) WHERE request_key IS NOT NULL;
CREATE INDEX idx_operator_actions_target ON "${schema}".operator_actions (target_kind, target, id) WHERE target IS NOT NULL;
CREATE INDEX idx_operator_actions_organization ON "${schema}".operator_actions (organization_id, id) WHERE organization_id IS NOT NULL;
CREATE INDEX idx_operator_actions_actor ON "${schema}".operator_actions (actor, id);
CREATE INDEX idx_operator_actions_unfinished ON "${schema}".operator_actions (id) WHERE finished_at IS NULL;
COMMENT ON TABLE "${schema}".operator_actions IS
    'The actions of operators: who changed what, and why. An action on many jobs changes them in many transactions, and its row shows how far it is';
COMMENT ON COLUMN "${schema}".operator_actions.id IS 'Time-ordered id; newest first is descending id';
COMMENT ON COLUMN "${schema}".operator_actions.organization_id IS
    'Organization of the row or of the scope; null for a global row, and for an action on rows of any organization';
COMMENT ON COLUMN "${schema}".operator_actions.undone_by IS 'The action that undid this one; null unless it was undone';
COMMENT ON COLUMN "${schema}".operator_actions.started_at IS 'When it began';
COMMENT ON COLUMN "${schema}".operator_actions.finished_at IS 'When it ended; null while it runs, and if its process ended before it';
COMMENT ON COLUMN "${schema}".operator_actions.changed IS 'Rows changed so far; 0 if everything was as requested already';
COMMENT ON COLUMN "${schema}".operator_actions.total IS 'Planned number of rows; null if it is not known';
COMMENT ON COLUMN "${schema}".operator_actions.actor IS 'The operator, by the name that the caller gave';
COMMENT ON COLUMN "${schema}".operator_actions.action IS 'What was done';
COMMENT ON COLUMN "${schema}".operator_actions.target_kind IS 'What target names';
COMMENT ON COLUMN "${schema}".operator_actions.target IS
    'Id or name of the row, or label of the workers; null for several rows, for a selection and for all workers';
COMMENT ON COLUMN "${schema}".operator_actions.step_key IS 'Step of the run; null for the run as a whole and for other targets';
COMMENT ON COLUMN "${schema}".operator_actions.reason IS 'Why; null if the call took no reason';
COMMENT ON COLUMN "${schema}".operator_actions.request_key IS 'Key of the operator''s request: a second action with the same key is refused';
COMMENT ON COLUMN "${schema}".operator_actions.details IS 'Further facts, for example the selection; never a payload';

-- The lines of an action, for its undo. Only lines of operators are in the index, and reports of progress fail the first condition.
CREATE INDEX idx_job_journal_action ON "${schema}".job_journal ((payload ->> 'action'), id)
    WHERE event_type IN ('CANCELED', 'REQUEUED', 'EDITED') AND payload ->> 'action' IS NOT NULL;
