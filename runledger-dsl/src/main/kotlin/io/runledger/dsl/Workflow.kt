package io.runledger.dsl

import io.runledger.model.spec.AppendRequest
import io.runledger.model.spec.WorkflowRequest
import java.util.UUID

/**
 * Declares a workflow: what runs, what waits for what, and where it stops for somebody outside.
 *
 * A step can only wait for a step declared above it, so a circle cannot be written.
 *
 * @throws io.runledger.model.error.InvalidWorkflowException with every problem at once
 */
@JvmSynthetic
public fun workflow(type: String, block: WorkflowScope.() -> Unit): WorkflowRequest {
    val builder = WorkflowRequest.builder(type)
    WorkflowScope(builder).block()
    return builder.build()
}

/**
 * Declares steps to be added to the live run [runId] while its gate [window] is open. The same [mutationKey] with the same steps
 * is the same append.
 *
 * @throws io.runledger.model.error.InvalidWorkflowException with every problem at once
 */
@JvmSynthetic
public fun append(runId: UUID, mutationKey: String, window: String, block: AppendScope.() -> Unit): AppendRequest {
    val builder = AppendRequest.builder(runId, mutationKey, window)
    AppendScope(builder).block()
    return builder.build()
}
