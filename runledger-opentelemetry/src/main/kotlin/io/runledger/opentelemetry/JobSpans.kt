package io.runledger.opentelemetry

import io.opentelemetry.api.common.AttributeKey
import io.opentelemetry.api.trace.Span
import io.opentelemetry.api.trace.SpanBuilder
import io.opentelemetry.api.trace.SpanKind
import io.opentelemetry.api.trace.StatusCode
import io.opentelemetry.api.trace.Tracer
import io.opentelemetry.context.Context
import io.runledger.model.error.RunledgerException
import io.runledger.model.failure.JobFailure
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.Cancellation
import io.runledger.model.handler.JobContext
import io.runledger.model.handler.JobOutcome
import io.runledger.model.value.HeaderSource
import org.slf4j.LoggerFactory
import kotlin.jvm.optionals.getOrNull

/** Starts the spans of enqueues and attempts, by the conventions for messaging. */
internal class JobSpans(private val tracer: Tracer, private val headers: TraceHeaders) {
    /** A span for the enqueue, and the headers that lead to it. */
    fun enqueued(target: HeaderSource.Target): Map<String, String> = try {
        val span = producer(target).startSpan()
        val context = Context.current().with(span)
        span.end()
        when (target.kind()) {
            HeaderSource.Kind.JOB, HeaderSource.Kind.RUN, HeaderSource.Kind.FIRE -> headers.of(context)
            HeaderSource.Kind.SCHEDULE -> headers.link(context, TraceHeaders.Link.SCHEDULE)
            HeaderSource.Kind.GATE -> headers.link(context, TraceHeaders.Link.GATE)
        }
    } catch (failure: RuntimeException) {
        log.warn("The trace of {} '{}' ends here: its context cannot be written.", target.kind(), target.name(), failure)
        emptyMap()
    }

    /** The span of an attempt. It belongs to the trace of the enqueue, and is linked to what else led to it. */
    fun attempt(job: JobContext<*>): JobSpan {
        val carried = job.headers()
        val parent = headers.context(carried)
        val builder = consumer(job.jobType()).setParent(parent)
            .setAttribute(MESSAGE_ID, job.jobId().toString())
            .setAttribute(RUN_NUMBER, job.runNumber().toLong())
            .setAttribute(ATTEMPT, job.attempt().toLong())
        headers.links(carried).forEach(builder::addLink)
        return JobSpan(builder.startSpan(), parent, listOf(job))
    }

    /** The span of a call for several jobs, which may come from several traces. */
    fun batch(jobs: List<JobContext<*>>): JobSpan {
        val builder = consumer(jobs.first().jobType()).setNoParent().setAttribute(BATCH_SIZE, jobs.size.toLong())
        jobs.flatMap { job -> listOf(headers.span(job.headers())) + headers.links(job.headers()) }
            .filter { it.isValid }.distinct().forEach(builder::addLink)
        return JobSpan(builder.startSpan(), Context.root(), jobs)
    }

    private fun producer(target: HeaderSource.Target): SpanBuilder {
        val operation = when (target.kind()) {
            HeaderSource.Kind.JOB, HeaderSource.Kind.RUN -> "enqueue"
            HeaderSource.Kind.SCHEDULE -> "schedule"
            HeaderSource.Kind.FIRE -> "fire"
            HeaderSource.Kind.GATE -> "complete"
        }
        val builder = tracer.spanBuilder("$operation ${target.name()}").setSpanKind(SpanKind.PRODUCER)
            .setAttribute(SYSTEM, "runledger")
            .setAttribute(OPERATION_NAME, operation)
            .setAttribute(OPERATION_TYPE, "create")
            .setAttribute(DESTINATION, target.name())
        return builder.setAttribute(names.getValue(target.kind()), target.name())
    }

    private fun consumer(jobType: String): SpanBuilder = tracer.spanBuilder("process $jobType").setSpanKind(SpanKind.CONSUMER)
        .setAttribute(SYSTEM, "runledger")
        .setAttribute(OPERATION_NAME, "process")
        .setAttribute(OPERATION_TYPE, "process")
        .setAttribute(DESTINATION, jobType)
        .setAttribute(JOB_TYPE, jobType)

    private companion object {
        val log = LoggerFactory.getLogger(JobSpans::class.java)
        val SYSTEM: AttributeKey<String> = AttributeKey.stringKey("messaging.system")
        val OPERATION_NAME: AttributeKey<String> = AttributeKey.stringKey("messaging.operation.name")
        val OPERATION_TYPE: AttributeKey<String> = AttributeKey.stringKey("messaging.operation.type")
        val DESTINATION: AttributeKey<String> = AttributeKey.stringKey("messaging.destination.name")
        val MESSAGE_ID: AttributeKey<String> = AttributeKey.stringKey("messaging.message.id")
        val BATCH_SIZE: AttributeKey<Long> = AttributeKey.longKey("messaging.batch.message_count")
        val JOB_TYPE: AttributeKey<String> = AttributeKey.stringKey("runledger.job.type")
        val names = mapOf(
            HeaderSource.Kind.JOB to JOB_TYPE,
            HeaderSource.Kind.RUN to AttributeKey.stringKey("runledger.workflow.type"),
            HeaderSource.Kind.SCHEDULE to AttributeKey.stringKey("runledger.schedule.name"),
            HeaderSource.Kind.FIRE to AttributeKey.stringKey("runledger.schedule.name"),
            HeaderSource.Kind.GATE to AttributeKey.stringKey("runledger.step.key"),
        )
        val RUN_NUMBER: AttributeKey<Long> = AttributeKey.longKey("runledger.job.run_number")
        val ATTEMPT: AttributeKey<Long> = AttributeKey.longKey("runledger.job.attempt")
    }
}

/** The span of one call of a handler. Records codes and class names, but no messages, which may quote a payload. */
internal class JobSpan(private val span: Span, parent: Context, private val jobs: List<JobContext<*>>) : AutoCloseable {
    /** The context in which the handler runs: the span, and the baggage of the enqueue. */
    val context: Context = parent.with(span)

    /** Runs the handler, and ends the span whatever happens. */
    inline fun <T> run(call: (JobSpan) -> T): T = try {
        call(this)
    } catch (failure: Throwable) {
        failed(failure)
        throw failure
    } finally {
        close()
    }

    fun ended(outcome: JobOutcome) {
        span.setAttribute(OUTCOME, outcome.kind().name)
        val failure: JobFailure? = when (outcome) {
            is JobOutcome.Failed -> outcome.failure()
            is JobOutcome.Retry -> outcome.failure()
            else -> null
        }
        failure?.let { error(it.code()) }
    }

    /** The call failed if one of its jobs did. */
    fun ended(outcome: BatchOutcome) {
        val outcomes = jobs.map { outcome.find(it.jobId()).getOrNull() }
        val failed = outcomes.firstOrNull { it is JobOutcome.Failed || it is JobOutcome.Retry }
        if (failed != null) ended(failed) else span.setAttribute(OUTCOME, outcomes.firstOrNull()?.kind()?.name.orEmpty())
    }

    /** The handler threw, or was asked to stop. */
    fun failed(failure: Throwable) {
        val reason = jobs.first().cancellation().reason().getOrNull()
        span.setAttribute(OUTCOME, if (reason == null) "FAILED" else reason.name)
        when (reason) {
            null -> error((failure as? RunledgerException)?.code()?.wire() ?: failure.javaClass.name)
            Cancellation.Reason.TIMEOUT, Cancellation.Reason.LEASE_LOST -> error(reason.name.lowercase())
            else -> {}
        }
    }

    override fun close() = span.end()

    private fun error(type: String) {
        span.setStatus(StatusCode.ERROR)
        span.setAttribute(ERROR_TYPE, type)
    }

    private companion object {
        val OUTCOME: AttributeKey<String> = AttributeKey.stringKey("runledger.outcome")
        val ERROR_TYPE: AttributeKey<String> = AttributeKey.stringKey("error.type")
    }
}
