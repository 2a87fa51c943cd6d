package io.runledger.dsl

import io.runledger.model.condition.Condition
import io.runledger.model.workflow.GateExpiry
import io.runledger.model.workflow.GateStep
import io.runledger.model.workflow.Upstream
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** The body of an external gate. */
@RunledgerDsl
public class GateScope internal constructor(private val gate: GateStep.Builder) {
    /** Sets information for the completion of the gate. The codec encodes it unless it is `Json`. */
    public fun payload(payload: Any?) {
        gate.payload(payload)
    }

    /** Opens the gate only after all of [upstream]. A step without a mode must succeed. */
    public fun after(vararg upstream: Upstream) {
        gate.after(*upstream)
    }

    /** Opens the gate only after all of [upstream], for example after a fan-out. */
    public fun after(upstream: Iterable<Upstream>) {
        gate.after(upstream)
    }

    /**
     * Opens the gate only if [condition] is true after its dependencies are satisfied; otherwise the gate is skipped.
     * The condition can use the prerequisites and the run's context. If the function is called twice, both conditions
     * must be true.
     */
    public fun onlyIf(condition: Condition) {
        gate.onlyIf(condition)
    }

    /** Opens the gate only if at least one of [conditions] is true; see [onlyIf]. */
    public fun onlyIfAny(vararg conditions: Condition) {
        gate.onlyIfAny(*conditions)
    }

    /** Opens the gate only if none of [conditions] is true; see [onlyIf]. */
    public fun onlyIfNone(vararg conditions: Condition) {
        gate.onlyIfNone(*conditions)
    }

    /** Sets an organization that differs from that of the run. */
    public fun organization(organizationId: UUID) {
        gate.organization(organizationId)
    }

    /** Ends the gate as [onExpiry] if it is not completed in time; at least one second, rounded up to whole seconds. */
    public fun expiresAfter(expiresAfter: Duration, onExpiry: GateExpiry = GateExpiry.FAILED) {
        gate.expiresAfter(expiresAfter.toJavaDuration(), onExpiry)
    }
}
