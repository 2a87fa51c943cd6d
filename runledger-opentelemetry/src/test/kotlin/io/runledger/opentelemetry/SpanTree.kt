package io.runledger.opentelemetry

import io.opentelemetry.api.common.AttributeKey
import io.opentelemetry.api.trace.StatusCode
import io.opentelemetry.sdk.trace.data.SpanData

/** Traces as text: one line for each span, below its parent, in the order in which they began. */
class SpanTree(private val spans: List<SpanData>) {
    private val children = spans.sortedBy { it.startEpochNanos }.groupBy { it.parentSpanId }
    private val byId = spans.associateBy { it.spanId }

    fun text(): String = spans.filter { it.parentSpanId !in byId }.sortedBy { it.startEpochNanos }
        .joinToString("\n") { lines(it, "").joinToString("\n") }

    private fun lines(span: SpanData, indent: String): List<String> =
        listOf(indent + line(span)) + children[span.spanId].orEmpty().flatMap { lines(it, "$indent    ") }

    private fun line(span: SpanData): String = buildString {
        append(span.name).append(" [").append(span.resource.getAttribute(Service.serviceName)).append(']')
        span[attempt]?.let { append(" attempt ").append(span[runNumber]).append('.').append(it) }
        span[outcome]?.let { append(' ').append(it) }
        if (span.status.statusCode == StatusCode.ERROR) append(" (").append(span[error]).append(')')
        span.links.forEach { link -> append(", linked to \"").append(byId.getValue(link.spanContext.spanId).name).append('"') }
    }

    private operator fun <T : Any> SpanData.get(key: AttributeKey<T>): T? = attributes.get(key)

    private companion object {
        val attempt: AttributeKey<Long> = AttributeKey.longKey("runledger.job.attempt")
        val runNumber: AttributeKey<Long> = AttributeKey.longKey("runledger.job.run_number")
        val outcome: AttributeKey<String> = AttributeKey.stringKey("runledger.outcome")
        val error: AttributeKey<String> = AttributeKey.stringKey("error.type")
    }
}
