package io.runledger.coroutines

import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.StepContext
import io.runledger.model.retry.StepRetries
import java.sql.Connection

/** The function of one step of a machine, and its retries. */
internal class MachineStep<S : Any>(val retries: StepRetries?, val function: AttemptHandler<S>) {
    companion object {
        /** The context of [job] for the function of a step. */
        @Suppress("UNCHECKED_CAST") // a function is called for steps of its own class only
        fun <S : Any, T : S> context(job: JobContext<S>, retries: StepRetries?): StepContext<S, T> =
            StepAttempt(job as JobContext<T>, minOf(job.maxAttempts(), retries?.maxAttempts() ?: Int.MAX_VALUE))
    }
}

private class StepAttempt<S : Any, T : S>(private val job: JobContext<T>, private val maxAttempts: Int) :
    StepContext<S, T>,
    JobContext<T> by job {
    override fun maxAttempts(): Int = maxAttempts

    override fun doneIn(connection: Connection, done: JobOutcome.Succeeded) = job.settleIn(connection, done)

    override fun settleIn(connection: Connection) = super<StepContext>.settleIn(connection)

    override fun settleIn(connection: Connection, output: Any?) = super<StepContext>.settleIn(connection, output)
}

internal fun <S : Any> machineAttempt(machine: StepMachine<S>) = AttemptHandler<S> { job, blocking ->
    machine.stepAt(job.payload()).function.attempt(job, blocking)
}
