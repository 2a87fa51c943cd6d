package io.runledger.dsl

import io.runledger.model.workflow.AppendRequest
import io.runledger.model.workflow.ContextMerge
import io.runledger.model.workflow.StepRef
import io.runledger.model.workflow.WorkflowRequest
import java.util.UUID

/** The body of [workflow]. */
public class WorkflowScope internal constructor(private val workflow: WorkflowRequest.Builder) : StepsScope(workflow) {
    /** Stores [metadata] with the run: `Json`, or an object that the codec encodes. */
    public fun metadata(metadata: Any?) {
        workflow.metadata(metadata)
    }

    /** Sets the organization of the run and its steps. */
    public fun organization(organizationId: UUID) {
        workflow.organization(organizationId)
    }

    /**
     * Makes the start idempotent: the same key with the same workflow returns the existing run; with another workflow
     * it causes a conflict.
     */
    public fun idempotencyKey(idempotencyKey: String) {
        workflow.idempotencyKey(idempotencyKey)
    }

    /** Allows one live run per key. The key is released when the run ends. */
    public fun activeKey(activeKey: String) {
        workflow.activeKey(activeKey)
    }

    /**
     * Sets the initial context that the steps share: a map, `Json`, or an object that the codec encodes as a JSON
     * object.
     */
    public fun context(context: Any) {
        workflow.context(context)
    }

    /**
     * Sets the rule for a contribution under a name that the context already has; by default, the later value replaces
     * the earlier one.
     */
    public fun contextMerge(contextMerge: ContextMerge) {
        workflow.contextMerge(contextMerge)
    }

    /**
     * Adds a header, which each job of the run's steps has too. Headers are not encrypted: they must not contain secrets.
     */
    public fun header(name: String, value: String) {
        workflow.header(name, value)
    }

    /** Adds headers; see [header]. */
    public fun headers(headers: Map<String, String>) {
        workflow.headers(headers)
    }

    /** Makes the output of [step] the result of the run. */
    public fun result(step: StepRef) {
        workflow.result(step)
    }
}

/** The body of [append]. Use `Upstream.named("key")` for existing steps. */
public class AppendScope internal constructor(private val append: AppendRequest.Builder) : StepsScope(append) {
    /**
     * Stores [metadata] with the append: `Json`, or an object that the codec encodes. Not compared when the key is used
     * again.
     */
    public fun metadata(metadata: Any?) {
        append.metadata(metadata)
    }
}
