package io.runledger.dsl

import io.runledger.model.condition.Condition
import io.runledger.model.policy.RetryPolicy
import io.runledger.model.spec.Input
import io.runledger.model.spec.JobStep
import io.runledger.model.spec.JobType
import io.runledger.model.spec.Upstream
import io.runledger.model.state.JobStage
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** The body of a job step. What is not said is taken from the job type's definition when the run is enqueued. */
@RunledgerDsl
public class JobScope internal constructor(private val step: JobStep.Builder) {
    /** Says which job the step runs, and with what. */
    public fun <P : Any> runs(type: JobType<P>, payload: P) {
        step.runs(type, payload)
    }

    /** Says which job the step runs, for a type that is known by name only; the codec encodes [payload] unless it is `Json`. */
    public fun runs(jobType: String, payload: Any?) {
        step.runs(jobType, payload)
    }

    /** Sets the payload alone; the codec encodes it unless it is `Json`. */
    public fun payload(payload: Any?) {
        step.payload(payload)
    }

    /** Waits for all of [upstream]. A bare step means its success; `step.onTerminal()` and `step.onFailure()` say otherwise. */
    public fun after(vararg upstream: Upstream) {
        step.after(*upstream)
    }

    /** Waits for all of [upstream], as after a fan-out. */
    public fun after(upstream: Iterable<Upstream>) {
        step.after(upstream)
    }

    /**
     * Uses the output of [step], a job or a gate: waits for its success, and the handler gets the output with `job.input(input)`.
     * One step gives a step one input; several steps may give the same one.
     */
    public fun uses(step: Upstream, input: Input<*>) {
        this.step.uses(step, input)
    }

    /** Uses the outputs of all [steps], as after a fan-out: the handler gets them with `job.inputs(input)`. */
    public fun uses(steps: Iterable<Upstream>, input: Input<*>) {
        step.uses(steps, input)
    }

    /**
     * Runs the step only if [condition] is true, once everything it waits for has ended as needed; otherwise it is skipped.
     * The condition may look at the steps that it waits for and at the run's context. Said twice, both must be true.
     */
    public fun onlyIf(condition: Condition) {
        step.onlyIf(condition)
    }

    /** Runs the step for another organization than the run's. */
    public fun organization(organizationId: UUID) {
        step.organization(organizationId)
    }

    /** Larger is claimed earlier. */
    public fun priority(priority: Int) {
        step.priority(priority)
    }

    /** How often the job is tried, 1 or more. */
    public fun maxAttempts(maxAttempts: Int) {
        step.maxAttempts(maxAttempts)
    }

    /** How long one attempt may run; at least a second, rounded up to whole seconds. */
    public fun timeout(timeout: Duration) {
        step.timeout(timeout.toJavaDuration())
    }

    /** How long after its release the job becomes due; rounded up to whole seconds. */
    public fun delay(delay: Duration) {
        step.delay(delay.toJavaDuration())
    }

    /** The stage the job starts in. */
    public fun stage(stage: JobStage) {
        step.stage(stage)
    }

    /** How failures are retried, whatever the job type says. */
    public fun retryPolicy(retryPolicy: RetryPolicy) {
        step.retryPolicy(retryPolicy)
    }

    /** How failures are retried, whatever the job type says. */
    public fun retryPolicy(block: RetryPolicyScope.() -> Unit) {
        step.retryPolicy(RetryPolicyScope.read(block))
    }

    /** Lets the handler end a run of the job with "continue" without ending the step. */
    public fun mayContinue() {
        step.mayContinue()
    }
}
