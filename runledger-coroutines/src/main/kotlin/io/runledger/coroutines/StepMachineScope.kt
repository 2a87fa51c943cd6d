package io.runledger.coroutines

import io.runledger.model.policy.StepRetries
import io.runledger.model.run.JobOutcome
import io.runledger.model.run.StepContext
import io.runledger.model.spec.JobType
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Declares a machine: what each step of the sealed payload of [type] does, and where it goes from there.
 *
 * `stepMachine(greeter) { on<AskName> { goTo(SayHello(ask())) }; on<SayHello> { done("Hello, ${it.name}!") } }`
 *
 * An `IllegalArgumentException` when a step has no function.
 */
@JvmSynthetic
public fun <S : Any> stepMachine(type: JobType<S>, block: StepMachineScope<S>.() -> Unit): StepMachine<S> {
    val builder = StepMachine.builder(type)
    StepMachineScope(builder).block()
    return builder.build()
}

/** The body of [stepMachine]. */
public class StepMachineScope<S : Any> internal constructor(private val builder: StepMachine.Builder<S>) {
    /** Does the step [T] by a suspending function, which gets the step; its receiver has the words for where to go. */
    @JvmSynthetic
    public inline fun <reified T : S> on(
        retries: StepRetries? = null,
        noinline function: suspend StepContext<S, T>.(T) -> JobOutcome,
    ): Unit = on(T::class.java, retries, function)

    /** [on] for a class that is known at run time only. */
    @JvmSynthetic
    public fun <T : S> on(step: Class<T>, retries: StepRetries? = null, function: suspend StepContext<S, T>.(T) -> JobOutcome) {
        builder.suspending(step, retries) { it.function(it.step()) }
    }
}

/** [StepContext.goTo] with Kotlin's duration. */
@JvmSynthetic
@JvmName("goTo")
public fun <S : Any> StepContext<S, *>.goTo(next: S, delay: Duration): JobOutcome.Continue = goTo(next, delay.toJavaDuration())
