package io.runledger.dsl

import io.runledger.model.condition.Condition
import io.runledger.model.spec.GateStep
import io.runledger.model.spec.Upstream
import io.runledger.model.state.GateExpiry
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** The body of an external gate. */
@RunledgerDsl
public class GateScope internal constructor(private val gate: GateStep.Builder) {
    /** What whoever completes the gate should know; the codec encodes it unless it is `Json`. */
    public fun payload(payload: Any?) {
        gate.payload(payload)
    }

    /** Opens only after all of [upstream]. A bare step means its success. */
    public fun after(vararg upstream: Upstream) {
        gate.after(*upstream)
    }

    /** Opens only after all of [upstream], as after a fan-out. */
    public fun after(upstream: Iterable<Upstream>) {
        gate.after(upstream)
    }

    /**
     * Opens the gate only if [condition] is true, once everything it waits for has ended as needed; otherwise it is skipped.
     * The condition may look at the steps that it waits for and at the run's context. Said twice, both must be true.
     */
    public fun onlyIf(condition: Condition) {
        gate.onlyIf(condition)
    }

    /** Gives the gate to another organization than the run's. */
    public fun organization(organizationId: UUID) {
        gate.organization(organizationId)
    }

    /** Ends the gate as [onExpiry] when nobody completes it in time; at least a second, rounded up to whole seconds. */
    public fun expiresAfter(expiresAfter: Duration, onExpiry: GateExpiry = GateExpiry.FAILED) {
        gate.expiresAfter(expiresAfter.toJavaDuration(), onExpiry)
    }
}
