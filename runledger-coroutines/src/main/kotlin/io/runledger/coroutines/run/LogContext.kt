package io.runledger.coroutines.run

import io.runledger.model.handler.JobContext
import kotlinx.coroutines.ThreadContextElement
import org.slf4j.MDC
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext

/**
 * Sets keys in SLF4J's MDC on each thread that runs a handler: `runledger.ledger`, `runledger.type` and, if it runs one job,
 * `runledger.job` and `runledger.attempt`.
 */
internal class LogContext private constructor(private val entries: Map<String, String>) :
    AbstractCoroutineContextElement(LogContext),
    ThreadContextElement<Map<String, String>?> {
    constructor(ledger: String, job: JobContext<*>) : this(
        // Not mapOf, which creates a pair for each entry: this is done for every job.
        java.util.Map.of(
            "runledger.ledger",
            ledger,
            "runledger.job",
            job.jobId().toString(),
            "runledger.type",
            job.jobType(),
            "runledger.attempt",
            "${job.runNumber()}.${job.attempt()}",
        ),
    )

    constructor(ledger: String, jobType: String) : this(mapOf("runledger.ledger" to ledger, "runledger.type" to jobType))

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
