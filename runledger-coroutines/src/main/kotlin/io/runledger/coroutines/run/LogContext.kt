package io.runledger.coroutines.run

import io.runledger.model.handler.JobContext
import kotlinx.coroutines.ThreadContextElement
import org.slf4j.MDC
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext

/**
 * Sets the job's keys in SLF4J's MDC on each thread that runs its handler: `runledger.ledger`, `runledger.job`, `runledger.type`,
 * `runledger.attempt`.
 */
internal class LogContext(ledger: String, job: JobContext<*>) :
    AbstractCoroutineContextElement(LogContext),
    ThreadContextElement<Map<String, String>?> {
    private val entries = mapOf(
        "runledger.ledger" to ledger,
        "runledger.job" to job.jobId().toString(),
        "runledger.type" to job.jobType(),
        "runledger.attempt" to "${job.runNumber()}.${job.attempt()}",
    )

    override fun updateThreadContext(context: CoroutineContext): Map<String, String>? {
        val before: Map<String, String>? = MDC.getCopyOfContextMap()
        MDC.setContextMap(if (before.isNullOrEmpty()) entries else before + entries)
        return before
    }

    override fun restoreThreadContext(context: CoroutineContext, oldState: Map<String, String>?) {
        if (oldState == null) MDC.clear() else MDC.setContextMap(oldState)
    }

    companion object Key : CoroutineContext.Key<LogContext>
}
