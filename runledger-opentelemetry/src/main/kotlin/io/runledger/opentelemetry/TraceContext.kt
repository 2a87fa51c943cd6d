package io.runledger.opentelemetry

import io.opentelemetry.api.trace.Span
import io.opentelemetry.context.Context
import io.opentelemetry.context.Scope
import kotlinx.coroutines.ThreadContextElement
import org.slf4j.MDC
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext

/**
 * Makes [context] the current one on each thread that runs the coroutine, before and after each suspension, and puts the ids of
 * its span into the MDC as `trace_id` and `span_id`.
 */
internal class TraceContext(private val context: Context) :
    AbstractCoroutineContextElement(TraceContext),
    ThreadContextElement<TraceContext.Before> {
    override fun updateThreadContext(context: CoroutineContext): Before = enter(this.context)

    override fun restoreThreadContext(context: CoroutineContext, oldState: Before) = leave(oldState)

    /** What a thread had before. */
    class Before(val scope: Scope, val traceId: String?, val spanId: String?)

    companion object Key : CoroutineContext.Key<TraceContext> {
        private const val TRACE_ID = "trace_id"
        private const val SPAN_ID = "span_id"

        fun enter(context: Context): Before {
            val before = Before(context.makeCurrent(), MDC.get(TRACE_ID), MDC.get(SPAN_ID))
            val span = Span.fromContext(context).spanContext
            if (span.isValid) {
                MDC.put(TRACE_ID, span.traceId)
                MDC.put(SPAN_ID, span.spanId)
            }
            return before
        }

        fun leave(before: Before) {
            put(SPAN_ID, before.spanId)
            put(TRACE_ID, before.traceId)
            before.scope.close()
        }

        private fun put(key: String, value: String?) = if (value == null) MDC.remove(key) else MDC.put(key, value)
    }
}
