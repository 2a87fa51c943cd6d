package io.runledger.dsl

import io.runledger.model.condition.Condition
import io.runledger.model.job.JobStage
import io.runledger.model.job.JobType
import io.runledger.model.workflow.Input
import io.runledger.model.workflow.JobStep
import io.runledger.model.workflow.Upstream
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * The body of a job step. Values that are not set are taken from the job type's definition when the run is enqueued.
 */
@RunledgerDsl
public class JobScope internal constructor(private val step: JobStep.Builder) : JobFlowScope(step) {
    /** Sets the job type and the payload. */
    public fun <P : Any> runs(type: JobType<P>, payload: P) {
        step.runs(type, payload)
    }

    /** Sets a job type that is known only by name, and the payload. The codec encodes [payload] unless it is `Json`. */
    public fun runs(jobType: String, payload: Any?) {
        step.runs(jobType, payload)
    }

    /** Sets the payload. The codec encodes it unless it is `Json`. */
    public fun payload(payload: Any?) {
        step.payload(payload)
    }

    /**
     * Waits for all of [upstream]. A step without a mode must succeed; `step.onTerminal()` and `step.onFailure()` set
     * another mode.
     */
    public fun after(vararg upstream: Upstream) {
        step.after(*upstream)
    }

    /** Waits for all of [upstream], for example after a fan-out. */
    public fun after(upstream: Iterable<Upstream>) {
        step.after(upstream)
    }

    /**
     * Binds the output of [step] to an input and waits for the success of that step. The handler reads the output with
     * `job.input(input)`. A step can be bound to one input; several steps can be bound to the same input.
     */
    public fun uses(step: Upstream, input: Input<*>) {
        this.step.uses(step, input)
    }

    /**
     * Binds the outputs of all [steps] to an input, for example after a fan-out. The handler reads them with
     * `job.inputs(input)`.
     */
    public fun uses(steps: Iterable<Upstream>, input: Input<*>) {
        step.uses(steps, input)
    }

    /**
     * Runs the step only if [condition] is true after its dependencies are satisfied; otherwise the step is skipped.
     * The condition can use the prerequisites and the run's context. If the function is called twice, both conditions
     * must be true.
     */
    public fun onlyIf(condition: Condition) {
        step.onlyIf(condition)
    }

    /** Runs the step only if at least one of [conditions] is true; see [onlyIf]. */
    public fun onlyIfAny(vararg conditions: Condition) {
        step.onlyIfAny(*conditions)
    }

    /** Runs the step only if none of [conditions] is true; see [onlyIf]. */
    public fun onlyIfNone(vararg conditions: Condition) {
        step.onlyIfNone(*conditions)
    }

    /** Sets an organization that differs from that of the run. */
    public fun organization(organizationId: UUID) {
        step.organization(organizationId)
    }

    /** Delays the job after the release of the step; rounded up to whole seconds. */
    public fun delay(delay: Duration) {
        step.delay(delay.toJavaDuration())
    }

    /**
     * Adds a header to those of the run, or replaces the run's header of the same name. Headers are not encrypted:
     * they must not contain secrets.
     */
    public fun header(name: String, value: String) {
        step.header(name, value)
    }

    /** Adds headers; see [header]. */
    public fun headers(headers: Map<String, String>) {
        step.headers(headers)
    }

    /** Sets the initial stage of the job. */
    public fun stage(stage: JobStage) {
        step.stage(stage)
    }

    /** Allows the handler to return `Continue`, which does not end the step. */
    public fun mayContinue() {
        step.mayContinue()
    }
}
