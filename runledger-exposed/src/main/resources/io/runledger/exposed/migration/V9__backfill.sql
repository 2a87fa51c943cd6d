-- A backfill fires instants of the past and an edit changes the rule of a schedule: both are actions of operators, and a line of the history
-- says that a backfill wrote it. An older build can run on this ledger; it cannot read the history of a schedule after a backfill.
ALTER TABLE "${schema}".job_schedule_fires
    DROP CONSTRAINT chk_job_schedule_fires_cause,
    ADD CONSTRAINT chk_job_schedule_fires_cause CHECK (cause IN ('CLOCK', 'OPERATOR', 'BACKFILL'));
COMMENT ON COLUMN "${schema}".job_schedule_fires.cause IS 'CLOCK, OPERATOR for an action of an operator, or BACKFILL for an instant that a backfill fired';
COMMENT ON COLUMN "${schema}".job_schedule_fires.dedup_key IS
    'What a poll found; it fires once. The id of the job or run if a backfill fired an instant again. Empty for everything else';

ALTER TABLE "${schema}".operator_actions
    DROP CONSTRAINT chk_operator_actions_action,
    ADD CONSTRAINT chk_operator_actions_action CHECK (action IN (
        'job.enqueue', 'job.cancel', 'job.requeue', 'job.restart', 'job.replay', 'job.edit', 'job.release_order', 'job.run_now',
        'job.reschedule', 'job.reprioritize', 'workflow.start', 'workflow.cancel', 'workflow.pause', 'workflow.resume',
        'workflow.append', 'workflow.edit_step', 'workflow.retry_failed', 'workflow.recover', 'gate.complete', 'gate.fail',
        'schedule.pause', 'schedule.resume', 'schedule.retime', 'schedule.fire', 'schedule.backfill', 'schedule.edit',
        'schedule.delete', 'worker.drain', 'worker.resume', 'worker.stop', 'definition.change', 'definition.pause',
        'definition.resume', 'definition.enable', 'definition.disable', 'definition.reset', 'limit.change', 'limit.reset',
        'queue.pause', 'queue.resume', 'share.weigh', 'action.undo'
    ));
