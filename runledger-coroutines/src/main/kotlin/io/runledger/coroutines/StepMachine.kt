package io.runledger.coroutines

import io.runledger.coroutines.run.AttemptHandler
import io.runledger.coroutines.run.MachineStep
import io.runledger.coroutines.run.StepFamily
import io.runledger.coroutines.run.asyncAttempt
import io.runledger.coroutines.run.blockingAttempt
import io.runledger.coroutines.run.suspendingAttempt
import io.runledger.model.policy.StepRetries
import io.runledger.model.run.AsyncStepHandler
import io.runledger.model.run.JobContext
import io.runledger.model.run.JobOutcome
import io.runledger.model.run.StepContext
import io.runledger.model.run.StepHandler
import io.runledger.model.spec.JobType

/**
 * A job that goes from step to step. Its payload is the step it stands at, one class of a sealed family, stored as readable JSON;
 * each class has a function that does the step and says where to go: on at once, on after a delay, or to the end.
 *
 * A step that fails for good parks the machine as a dead letter; a requeue lets it go on at that step, with its stored values.
 * In a workflow the step of a machine says `mayContinue`.
 */
public class StepMachine<S : Any> private constructor(
    /** The job type whose jobs are such machines. */
    @get:JvmName("type")
    public val type: JobType<S>,
    private val steps: Map<Class<*>, MachineStep<S>>,
) {
    /** What to do at [state], whose class may be one below that of its step: a constant of an enum can have its own. */
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
     * Collects the functions. One for each class of the sealed family, or for a sealed part of it, whose classes it then serves
     * unless they have one of their own. A second for the same class is an `IllegalArgumentException`.
     */
    public class Builder<S : Any> internal constructor(private val type: JobType<S>) {
        private val functions = LinkedHashMap<Class<*>, MachineStep<S>>()

        /** Does [step] by a function that blocks its thread: a virtual one where the JDK has them, else one of a bounded pool. */
        public fun <T : S> on(step: Class<T>, function: StepHandler<S, T>): Builder<S> = blocking(step, null, function)

        /** Does [step] by a function that blocks its thread, tried again as [retries] says. */
        public fun <T : S> on(step: Class<T>, retries: StepRetries, function: StepHandler<S, T>): Builder<S> =
            blocking(step, retries, function)

        /** Does [step] by a function that returns a `CompletionStage`. */
        public fun <T : S> onAsync(step: Class<T>, function: AsyncStepHandler<S, T>): Builder<S> = async(step, null, function)

        /** Does [step] by a function that returns a `CompletionStage`, tried again as [retries] says. */
        public fun <T : S> onAsync(step: Class<T>, retries: StepRetries, function: AsyncStepHandler<S, T>): Builder<S> =
            async(step, retries, function)

        @JvmSynthetic
        internal fun <T : S> suspending(
            step: Class<T>,
            retries: StepRetries?,
            function: suspend (StepContext<S, T>) -> JobOutcome,
        ): Builder<S> = register(step, retries) { context -> suspendingAttempt { function(context(it)) } }

        private fun <T : S> blocking(step: Class<T>, retries: StepRetries?, function: StepHandler<S, T>) =
            register(step, retries) { context -> blockingAttempt { function.handle(context(it)) } }

        private fun <T : S> async(step: Class<T>, retries: StepRetries?, function: AsyncStepHandler<S, T>) =
            register(step, retries) { context -> asyncAttempt { function.handle(context(it)) } }

        /**
         * The machine. An `IllegalArgumentException` when the type's payload is no sealed type, when a class of it has no
         * function, or when a step may be tried more often than the type's jobs.
         */
        public fun build(): StepMachine<S> = StepMachine(type, StepFamily.of(type).dealt(functions))

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
            require(earlier == null) { "${step.simpleName} has a function already: give it one." }
        }
    }
}
