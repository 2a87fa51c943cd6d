package io.runledger.dsl

import io.runledger.model.spec.GateRef
import io.runledger.model.spec.JobRef
import io.runledger.model.spec.StepsBuilder

/** Where steps are declared. Write a function on this scope to reuse a fragment in workflows and appends alike. */
@RunledgerDsl
public sealed class StepsScope(private val steps: StepsBuilder) {
    /** Declares a job step; without `runs` its job type is named like the step. */
    public fun job(key: String, block: JobScope.() -> Unit = {}): JobRef = steps.job(key) { JobScope(it).block() }

    /** Declares a gate that somebody outside completes; without `after` it opens at once. */
    public fun externalGate(key: String, block: GateScope.() -> Unit = {}): GateRef =
        steps.externalGate(key) { GateScope(it).block() }
}
