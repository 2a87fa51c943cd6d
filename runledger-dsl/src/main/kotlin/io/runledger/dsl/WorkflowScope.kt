package io.runledger.dsl

import io.runledger.model.spec.AppendRequest
import io.runledger.model.spec.StepRef
import io.runledger.model.spec.WorkflowRequest
import io.runledger.model.state.ContextMerge
import java.util.UUID

/** The body of [workflow]. */
public class WorkflowScope internal constructor(private val workflow: WorkflowRequest.Builder) : StepsScope(workflow) {
    /** Keeps [metadata] with the run: `Json`, or an object the codec encodes. */
    public fun metadata(metadata: Any?) {
        workflow.metadata(metadata)
    }

    /** Gives the run to an organization; steps inherit it. */
    public fun organization(organizationId: UUID) {
        workflow.organization(organizationId)
    }

    /**
     * Makes the start repeatable: the same key with the same workflow gives the existing run, with another workflow a
     * conflict.
     */
    public fun idempotencyKey(idempotencyKey: String) {
        workflow.idempotencyKey(idempotencyKey)
    }

    /** Allows one live run per key; the key is free again when the run has ended. */
    public fun activeKey(activeKey: String) {
        workflow.activeKey(activeKey)
    }

    /** Gives the steps something to share: a map, an object the codec encodes as a JSON object, or `Json`. */
    public fun context(context: Any) {
        workflow.context(context)
    }

    /** What the contribution of a step does to a name that the context has already; the later value replaces it unless said. */
    public fun contextMerge(contextMerge: ContextMerge) {
        workflow.contextMerge(contextMerge)
    }

    /** Makes the output of [step] the run's result. */
    public fun result(step: StepRef) {
        workflow.result(step)
    }
}

/** The body of [append]. Existing steps are named with `Upstream.named("key")`. */
public class AppendScope internal constructor(private val append: AppendRequest.Builder) : StepsScope(append) {
    /** Keeps [metadata] with the append: `Json`, or an object the codec encodes. Not compared when the append is repeated. */
    public fun metadata(metadata: Any?) {
        append.metadata(metadata)
    }
}
