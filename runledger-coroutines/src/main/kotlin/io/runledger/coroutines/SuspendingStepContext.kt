package io.runledger.coroutines

import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.StepContext
import java.sql.Connection
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * The context of one attempt of a machine step, passed to a suspending function.
 *
 * @param step the context of the attempt, in a test for example a context of its own
 */
public class SuspendingStepContext<S : Any, T : S>(private val step: StepContext<S, T>) :
    SuspendingJobContext<T>(step),
    StepContext<S, T> {
    /** [StepContext.goTo] with Kotlin's duration. */
    public fun goTo(next: S, delay: Duration): JobOutcome.Continue = goTo(next, delay.toJavaDuration())

    override fun doneIn(connection: Connection, done: JobOutcome.Succeeded): Unit = step.doneIn(connection, done)

    override fun settleIn(connection: Connection): Unit = step.settleIn(connection)

    override fun settleIn(connection: Connection, output: Any?): Unit = step.settleIn(connection, output)
}
