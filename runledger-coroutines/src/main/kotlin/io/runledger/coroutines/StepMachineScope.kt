package io.runledger.coroutines

import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobType
import io.runledger.model.retry.StepRetries

/**
 * Declares a machine: a function for each step of the sealed payload of [type], which returns the next step.
 *
 * `stepMachine(greeter) { on<AskName> { goTo(SayHello(ask())) }; on<SayHello> { done("Hello, ${it.name}!") } }`
 *
 * Throws an `IllegalArgumentException` if a step has no function.
 */
@JvmSynthetic
public fun <S : Any> stepMachine(type: JobType<S>, block: StepMachineScope<S>.() -> Unit): StepMachine<S> {
    val builder = StepMachine.builder(type)
    StepMachineScope(builder).block()
    return builder.build()
}

/** The body of [stepMachine]. */
public class StepMachineScope<S : Any> internal constructor(private val builder: StepMachine.Builder<S>) {
    /** Runs the step [T] with a suspending function. Its argument is the step; its receiver has functions such as `goTo`. */
    @JvmSynthetic
    public inline fun <reified T : S> on(
        retries: StepRetries? = null,
        noinline function: suspend SuspendingStepContext<S, T>.(T) -> JobOutcome,
    ): Unit = on(T::class.java, retries, function)

    /** [on] for a class that is known only at run time. */
    @JvmSynthetic
    public fun <T : S> on(
        step: Class<T>,
        retries: StepRetries? = null,
        function: suspend SuspendingStepContext<S, T>.(T) -> JobOutcome,
    ) {
        builder.suspending(step, retries) { it.function(it.step()) }
    }
}
