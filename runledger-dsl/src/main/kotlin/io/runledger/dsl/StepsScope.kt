package io.runledger.dsl

import io.runledger.model.workflow.GateRef
import io.runledger.model.workflow.JobRef
import io.runledger.model.workflow.StepsBuilder

/**
 * The scope in which steps are declared. An extension function on this scope can be reused in workflows and appends.
 */
@RunledgerDsl
public sealed class StepsScope(private val steps: StepsBuilder) {
    /** Declares a job step. Without `runs`, its job type has the name of the step. */
    public fun job(key: String, block: JobScope.() -> Unit = {}): JobRef = steps.job(key) { JobScope(it).block() }

    /** Declares a gate that is completed from outside. Without `after`, it opens immediately. */
    public fun externalGate(key: String, block: GateScope.() -> Unit = {}): GateRef =
        steps.externalGate(key) { GateScope(it).block() }
}
