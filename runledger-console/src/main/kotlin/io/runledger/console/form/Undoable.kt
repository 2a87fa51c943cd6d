package io.runledger.console.form

import io.runledger.model.operator.OperatorActionKind

private val UNDOABLE = setOf(
    OperatorActionKind.JOB_CANCEL,
    OperatorActionKind.JOB_RUN_NOW,
    OperatorActionKind.JOB_RESCHEDULE,
    OperatorActionKind.JOB_REPRIORITIZE,
    OperatorActionKind.JOB_EDIT,
    OperatorActionKind.WORKFLOW_EDIT_STEP,
    OperatorActionKind.WORKFLOW_PAUSE,
    OperatorActionKind.WORKFLOW_RESUME,
    OperatorActionKind.SCHEDULE_PAUSE,
    OperatorActionKind.SCHEDULE_RESUME,
    OperatorActionKind.DEFINITION_PAUSE,
    OperatorActionKind.DEFINITION_RESUME,
    OperatorActionKind.LIMIT_CHANGE,
    OperatorActionKind.LIMIT_RESET,
    OperatorActionKind.QUEUE_PAUSE,
    OperatorActionKind.QUEUE_RESUME,
    OperatorActionKind.SHARE_WEIGH,
)

/** Whether the ledger can take back actions of this kind. */
internal fun OperatorActionKind.isUndoable(): Boolean = this in UNDOABLE
