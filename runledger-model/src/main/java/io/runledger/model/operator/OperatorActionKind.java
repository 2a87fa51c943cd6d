package io.runledger.model.operator;

import io.runledger.model.ledger.WireText;

/** The kind of an operator's action. The wire texts are stable. */
public enum OperatorActionKind implements WireText {
    JOB_ENQUEUE("job.enqueue"),
    JOB_CANCEL("job.cancel"),
    JOB_REQUEUE("job.requeue"),
    /** A requeue that deletes progress and checkpoint. */
    JOB_RESTART("job.restart"),
    JOB_REPLAY("job.replay"),
    JOB_EDIT("job.edit"),
    JOB_RELEASE_ORDER("job.release_order"),
    JOB_RUN_NOW("job.run_now"),
    JOB_RESCHEDULE("job.reschedule"),
    JOB_REPRIORITIZE("job.reprioritize"),
    WORKFLOW_START("workflow.start"),
    WORKFLOW_CANCEL("workflow.cancel"),
    WORKFLOW_PAUSE("workflow.pause"),
    WORKFLOW_RESUME("workflow.resume"),
    WORKFLOW_APPEND("workflow.append"),
    WORKFLOW_EDIT_STEP("workflow.edit_step"),
    WORKFLOW_RETRY_FAILED("workflow.retry_failed"),
    WORKFLOW_RECOVER("workflow.recover"),
    GATE_COMPLETE("gate.complete"),
    GATE_FAIL("gate.fail"),
    SCHEDULE_PAUSE("schedule.pause"),
    SCHEDULE_RESUME("schedule.resume"),
    SCHEDULE_RETIME("schedule.retime"),
    SCHEDULE_FIRE("schedule.fire"),
    SCHEDULE_BACKFILL("schedule.backfill"),
    SCHEDULE_EDIT("schedule.edit"),
    SCHEDULE_DELETE("schedule.delete"),
    WORKER_DRAIN("worker.drain"),
    WORKER_RESUME("worker.resume"),
    WORKER_STOP("worker.stop"),
    DEFINITION_CHANGE("definition.change"),
    DEFINITION_PAUSE("definition.pause"),
    DEFINITION_RESUME("definition.resume"),
    DEFINITION_ENABLE("definition.enable"),
    DEFINITION_DISABLE("definition.disable"),
    DEFINITION_RESET("definition.reset"),
    LIMIT_CHANGE("limit.change"),
    LIMIT_RESET("limit.reset"),
    QUEUE_PAUSE("queue.pause"),
    QUEUE_RESUME("queue.resume"),
    SHARE_WEIGH("share.weigh"),
    /** The reversal of an earlier action. */
    UNDO("action.undo");

    private final String wire;

    OperatorActionKind(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
