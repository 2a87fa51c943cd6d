package io.runledger.coroutines

import io.runledger.model.handler.AsyncStepHandler
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.StepContext
import io.runledger.model.handler.StepHandler
import io.runledger.model.job.JobType
import io.runledger.model.retry.StepRetries

/**
 * A job that moves from step to step. Its payload is the current step, an instance of a sealed type, stored as readable JSON.
 * Each class of the sealed type has a function. The function does the step and returns the next one, to run at once or after a
 * delay, or ends the job.
 *
 * If a step fails for good, the job becomes a dead letter. A requeue resumes it at that step, with its stored values. In a
 * workflow, declare the step that runs a machine with `mayContinue`.
 */
public class StepMachine<S : Any> private constructor(
    /** The job type that the machine runs. */
    @get:JvmName("type")
    public val type: JobType<S>,
    private val steps: Map<Class<*>, MachineStep<S>>,
) {
    /** The step for [state], whose class may be a subclass of the step's: a constant of an enum can have its own class. */
    @JvmSynthetic
    internal fun stepAt(state: S): MachineStep<S> =
        checkNotNull(steps[state.javaClass] ?: steps.entries.find { it.key.isInstance(state) }?.value) {
            "The machine '${type.name()}' has no function for ${state.javaClass.name}."
        }

    /** The classes of its steps. */
    @get:JvmSynthetic
    internal val stepClasses: Set<Class<*>> get() = steps.keys

    public companion object {
        /** Starts a machine of jobs of [type]; Kotlin code may prefer [stepMachine]. */
        @JvmStatic
        public fun <S : Any> builder(type: JobType<S>): Builder<S> = Builder(type)
    }

    /**
     * Collects the functions: one for each class of the sealed type, or for a sealed subtype. The function of a subtype serves
     * all its classes that have none of their own. A second function for a class, or more attempts than the job type allows,
     * throws an `IllegalArgumentException`.
     */
    public class Builder<S : Any> internal constructor(private val type: JobType<S>) {
        private val functions = LinkedHashMap<Class<*>, MachineStep<S>>()

        /** Runs [step] with a function that blocks its thread: a virtual one if the JDK has them, else one of a bounded pool. */
        public fun <T : S> on(step: Class<T>, function: StepHandler<S, T>): Builder<S> = blocking(step, null, function)

        /** Runs [step] with a function that blocks its thread, retried according to [retries]. */
        public fun <T : S> on(step: Class<T>, retries: StepRetries, function: StepHandler<S, T>): Builder<S> =
            blocking(step, retries, function)

        /** Runs [step] with a function that returns a `CompletionStage`. */
        public fun <T : S> onAsync(step: Class<T>, function: AsyncStepHandler<S, T>): Builder<S> = async(step, null, function)

        /** Runs [step] with a function that returns a `CompletionStage`, retried according to [retries]. */
        public fun <T : S> onAsync(step: Class<T>, retries: StepRetries, function: AsyncStepHandler<S, T>): Builder<S> =
            async(step, retries, function)

        @JvmSynthetic
        internal fun <T : S> suspending(
            step: Class<T>,
            retries: StepRetries?,
            function: suspend (SuspendingStepContext<S, T>) -> JobOutcome,
        ): Builder<S> = register(step, retries) { context ->
            AttemptHandler { job, _ -> function(SuspendingStepContext(context(job))) }
        }

        private fun <T : S> blocking(step: Class<T>, retries: StepRetries?, function: StepHandler<S, T>) =
            register(step, retries) { context -> blockingAttempt { function.handle(context(it)) } }

        private fun <T : S> async(step: Class<T>, retries: StepRetries?, function: AsyncStepHandler<S, T>) =
            register(step, retries) { context -> asyncAttempt { function.handle(context(it)) } }

        /**
         * Builds the machine. Throws an `IllegalArgumentException` if the payload type is not sealed, or if one of its classes
         * has no function.
         */
        public fun build(): StepMachine<S> = StepMachine(type, StepFamily.of(type).assigned(functions))

        private fun <T : S> register(
            step: Class<T>,
            retries: StepRetries?,
            attempt: ((JobContext<S>) -> StepContext<S, T>) -> AttemptHandler<S>,
        ): Builder<S> = apply {
            val most = type.maxAttempts()
            require(retries == null || retries.maxAttempts() <= most) {
                "${step.simpleName} may be tried ${retries?.maxAttempts()} times, but a job of '${type.name()}' only $most: " +
                    "declare the type with more attempts."
            }
            val earlier = functions.putIfAbsent(step, MachineStep(retries, attempt { MachineStep.context(it, retries) }))
            require(earlier == null) { "${step.simpleName} has a function already: register one per step." }
        }
    }
}
