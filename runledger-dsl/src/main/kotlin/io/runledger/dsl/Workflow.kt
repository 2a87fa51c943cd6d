package io.runledger.dsl

import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.WorkflowRequest
import java.util.UUID

/**
 * Declares a workflow with its jobs, gates and dependencies.
 *
 * A step can only depend on steps declared before it, so a cycle is not possible.
 *
 * @throws io.runledger.model.error.InvalidWorkflowException with all problems
 */
@JvmSynthetic
public fun workflow(type: String, block: WorkflowScope.() -> Unit): WorkflowRequest {
    val builder = WorkflowRequest.builder(type)
    WorkflowScope(builder).block()
    return builder.build()
}

/**
 * Declares steps to be added to the live run [runId] while its gate [window] is open. [mutationKey] is the idempotency
 * key: the same key with the same steps adds the steps once.
 *
 * @throws io.runledger.model.error.InvalidWorkflowException with all problems
 */
@JvmSynthetic
public fun append(runId: UUID, mutationKey: String, window: String, block: AppendScope.() -> Unit): AppendRequest {
    val builder = AppendRequest.builder(runId, mutationKey, window)
    AppendScope(builder).block()
    return builder.build()
}
