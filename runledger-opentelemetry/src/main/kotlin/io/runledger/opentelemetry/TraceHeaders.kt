package io.runledger.opentelemetry

import io.opentelemetry.api.baggage.Baggage
import io.opentelemetry.api.trace.Span
import io.opentelemetry.api.trace.SpanContext
import io.opentelemetry.context.Context
import io.opentelemetry.context.propagation.TextMapGetter
import io.opentelemetry.context.propagation.TextMapPropagator
import io.runledger.model.value.Headers

/**
 * Writes the context of a trace to headers and reads it from them. What belongs to a link has the names of the propagator with a
 * prefix, so that it does not replace the context of the job itself.
 */
internal class TraceHeaders(private val propagator: TextMapPropagator) {
    /** The span and the baggage of [context]. */
    fun of(context: Context): Map<String, String> = injected(context, "")

    /** The span of [context] without its baggage, for a link. */
    fun link(context: Context, link: Link): Map<String, String> = injected(context.with(Baggage.empty()), link.prefix)

    /** The context that [headers] carry. */
    fun context(headers: Map<String, String>): Context =
        if (headers.isEmpty()) Context.root() else propagator.extract(Context.root(), headers, Reader(""))

    /** The spans that [headers] link to. */
    fun links(headers: Map<String, String>): List<SpanContext> = if (headers.keys.none { it.startsWith(PREFIX) }) {
        emptyList()
    } else {
        Link.entries.map { span(propagator.extract(Context.root(), headers, Reader(it.prefix))) }.filter { it.isValid }
    }

    /** The span of the enqueue. */
    fun span(headers: Map<String, String>): SpanContext = span(context(headers))

    private fun span(context: Context): SpanContext = Span.fromContext(context).spanContext

    /** Leaves out what a job could not carry, for example too much baggage: the job is enqueued in any case. */
    private fun injected(context: Context, prefix: String): Map<String, String> {
        val headers = LinkedHashMap<String, String>()
        propagator.inject(context, headers) { carrier, name, value ->
            val header = mapOf(prefix + name to value)
            val isFitting = Headers.problems(header).isEmpty() && Headers.size(header) <= MAX_HEADER_BYTES
            if (isFitting && carrier!!.size < MAX_HEADERS) carrier.putAll(header)
        }
        return headers
    }

    /** What a link leads to. */
    enum class Link(val prefix: String) { GATE("${PREFIX}gate-"), SCHEDULE("${PREFIX}schedule-") }

    /** Some propagators ask for names in another case than they write them. */
    private class Reader(private val prefix: String) : TextMapGetter<Map<String, String>> {
        @Suppress("OVERRIDE_DEPRECATION") // the interface still declares it as abstract
        override fun keys(carrier: Map<String, String>): Iterable<String> =
            carrier.keys.filter { it.startsWith(prefix) }.map { it.removePrefix(prefix) }

        override fun get(carrier: Map<String, String>?, key: String): String? = carrier?.let {
            it[prefix + key] ?: it.entries.firstOrNull { entry -> entry.key.equals(prefix + key, ignoreCase = true) }?.value
        }
    }

    private companion object {
        const val PREFIX = "runledger-"
        const val MAX_HEADERS = 8
        const val MAX_HEADER_BYTES = 4 * 1024
    }
}
