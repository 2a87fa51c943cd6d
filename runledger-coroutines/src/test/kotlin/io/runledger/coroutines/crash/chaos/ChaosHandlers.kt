package io.runledger.coroutines.crash.chaos

import io.runledger.coroutines.Handlers
import io.runledger.coroutines.StepMachine
import io.runledger.coroutines.crash.DoomedJvm
import io.runledger.coroutines.handlers
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.handler.StepHandler
import io.runledger.model.job.JobType
import io.runledger.model.json.Json
import io.runledger.model.retry.RetryPolicy
import java.sql.Connection
import java.sql.SQLException
import java.time.Duration
import javax.sql.DataSource

/** Leaves its effect in the transaction that ends the job. Fewer run at once than the workers have slots. */
internal val settled = type("settled", Json::class.java).limit("chaos.settled") { it.permits(8) }.build()

/**
 * Commits a row with the intended ending, then ends the attempt with its return value or an exception. Two jobs of a kind run at
 * once, and the kinds take turns.
 */
internal val ordinary = type("ordinary", Order::class.java)
    .limit("chaos.kind") { limit -> limit.by { kind(it.tag) }.permits(2) }
    .fairBy { kind(it.tag) }
    .build()

/** The same with a single attempt, and at a limited rate. It first reports that the handler has started. */
internal val once = type("once", Order::class.java).maxAttempts(1)
    .limit("chaos.once") { it.rate(20, Duration.ofSeconds(1)) }
    .build()

/** A machine of three steps, each of which leaves an effect as [ordinary] work does. Those of a kind run one after another. */
internal val errand = type("errand", Errand::class.java).orderedBy { kind(it.tag) }.build()

/** Work of three kinds. */
private fun kind(tag: String): Int = tag.hashCode().mod(3)

internal val chaosTypes = listOf(settled, ordinary, once, errand)

/** The effect may have been written or not: the connection failed. */
internal const val UNKNOWN_EFFECT = "chaos.effect_unknown"

/** The output of a worker process when the handler of a job with a single attempt starts, followed by the job's id. */
internal const val BEGUN = "begun "

private fun <P : Any> type(name: String, payload: Class<P>) = JobType.builder(name, payload)
    .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
    .maxAttempts(1_000)

/** Handlers that write their effects over this data source. */
internal fun DataSource.chaosHandlers(): Handlers = handlers {
    blocking(settled) { job ->
        connection.use { settleWithEffect(job, it) }
        JobOutcome.succeeded()
    }
    blocking(ordinary) { job -> attempt(job, job.payload()) }
    blocking(once) { job ->
        DoomedJvm.say(BEGUN + job.jobId())
        afterEffect(job, job.payload().tag, Intent.SUCCEED) { JobOutcome.succeeded() }
    }
    machine(
        StepMachine.builder(errand)
            .on(Errand.Fetch::class.java, step { Errand.Carry(it.tag) })
            .on(Errand.Carry::class.java, step { Errand.Deliver(it.tag) })
            .on(Errand.Deliver::class.java, step { null })
            .build(),
    )
}

private fun DataSource.attempt(job: JobContext<*>, order: Order): JobOutcome {
    val intent = order.intent(job.runNumber(), job.attempt())
    return afterEffect(job, order.tag, intent) { order.outcome(intent) }
}

private fun <T : Errand> DataSource.step(next: (T) -> Errand?): StepHandler<Errand, T> = StepHandler { job ->
    val at = job.step()
    val order = Order(at.tag, if (next(at) == null) Intent.SUCCEED else Intent.CONTINUE)
    val intent = order.intent(job.runNumber(), job.attempt())
    afterEffect(job, at.javaClass.simpleName, intent) {
        if (intent == Intent.CONTINUE) job.goTo(checkNotNull(next(at))) else order.outcome(intent)
    }
}

private fun DataSource.afterEffect(job: JobContext<*>, tag: String, intent: Intent, end: () -> JobOutcome): JobOutcome {
    try {
        connection.use { leaveEffect(job, tag, intent, it) }
    } catch (failure: SQLException) {
        return JobOutcome.retry(UNKNOWN_EFFECT, failure.message)
    }
    return end()
}

private fun settleWithEffect(job: JobContext<*>, connection: Connection) {
    connection.autoCommit = false
    leaveEffect(job, "", Intent.SETTLE, connection)
    job.settleIn(connection)
    connection.commit()
}

private fun leaveEffect(job: JobContext<*>, tag: String, intent: Intent, connection: Connection) =
    connection.prepareStatement("INSERT INTO effects (job_id, run_number, attempt, tag, intent) VALUES (?, ?, ?, ?, ?)").use {
        it.setObject(1, job.jobId())
        it.setInt(2, job.runNumber())
        it.setInt(3, job.attempt())
        it.setString(4, tag)
        it.setString(5, intent.name)
        it.executeUpdate()
    }
