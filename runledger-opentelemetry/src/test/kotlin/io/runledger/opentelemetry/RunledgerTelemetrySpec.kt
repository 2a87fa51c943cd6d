package io.runledger.opentelemetry

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.opentelemetry.api.OpenTelemetry
import io.opentelemetry.api.baggage.Baggage
import io.opentelemetry.api.trace.Span
import io.opentelemetry.api.trace.SpanKind
import io.opentelemetry.api.trace.StatusCode
import io.opentelemetry.api.trace.TracerProvider
import io.opentelemetry.context.Context
import io.opentelemetry.context.propagation.ContextPropagators
import io.opentelemetry.context.propagation.TextMapGetter
import io.opentelemetry.context.propagation.TextMapPropagator
import io.opentelemetry.context.propagation.TextMapSetter
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter
import io.opentelemetry.sdk.trace.data.SpanData
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.dsl.jobType
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.JobOutcome
import io.runledger.model.job.JobRequest
import io.runledger.model.ledger.Scope
import io.runledger.test.TestLedger
import io.runledger.test.until
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.slf4j.MDC
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration.Companion.seconds

private val suspending = jobType<Int>("suspending") { maxAttempts(1) }
private val blocking = jobType<Int>("blocking") { maxAttempts(1) }
private val async = jobType<Int>("async") { maxAttempts(1) }
private val suspendingBatch = jobType<Int>("batch.suspending") { maxAttempts(1) }
private val blockingBatch = jobType<Int>("batch.blocking") { maxAttempts(1) }
private val asyncBatch = jobType<Int>("batch.async") { maxAttempts(1) }
private val timed = jobType<Int>("timed") {
    maxAttempts(1)
    timeout(1.seconds)
}
private val all = listOf(suspending, blocking, async, suspendingBatch, blockingBatch, asyncBatch, timed)

/** What a handler sees of its trace at one place. */
private data class Seen(val span: String, val mdcTrace: String?, val mdcSpan: String?, val baggage: String?)

private fun seen() = Seen(
    Span.current().spanContext.spanId,
    MDC.get("trace_id"),
    MDC.get("span_id"),
    Baggage.current().getEntryValue("customer"),
)

class RunledgerTelemetrySpec :
    FunSpec({
        class Bench(val ledger: TestLedger = TestLedger.fresh()) : AutoCloseable {
            val exporter: InMemorySpanExporter = InMemorySpanExporter.create()
            val service = Service("shop", ledger, exporter, TickingClock())
            val client get() = service.client
            val spans: List<SpanData> get() = exporter.finishedSpanItems

            init {
                ledger.client.definitions.sync(all)
            }

            suspend fun work(handlers: Handlers, ids: List<UUID>) {
                service.start(handlers).use {
                    until("all jobs have ended") { ids.all { id -> client.jobs.get(Scope.everything(), id).isTerminal } }
                }
            }

            override fun close() {
                service.close()
                ledger.close()
            }
        }

        fun bench() = autoClose(Bench())

        test("the span is current and its ids are in the MDC, in every kind of handler and across suspensions") {
            val bench = bench()
            val places = ConcurrentHashMap<String, Seen>()
            val telemetry = bench.service.telemetry
            val registry = handlers {
                on(suspending) {
                    places["suspending"] = seen()
                    yield()
                    places["suspending after a suspension"] = seen()
                    withContext(Dispatchers.IO) { places["suspending on other threads"] = seen() }
                    coroutineScope { async { places["suspending in a child"] = seen() }.await() }
                    places["suspending at the end"] = seen()
                    JobOutcome.succeeded()
                }
                blocking(blocking) { JobOutcome.succeeded().also { places["blocking"] = seen() } }
                async(async) {
                    places["async"] = seen()
                    CompletableFuture.completedFuture(JobOutcome.succeeded())
                }
                suspendingBatch(
                    suspendingBatch,
                    10,
                    telemetry.suspendingBatch<Int> {
                        yield()
                        BatchOutcome.succeeded().also { places["batch.suspending"] = seen() }
                    },
                )
                blockingBatch(
                    blockingBatch,
                    10,
                    telemetry.blockingBatch { BatchOutcome.succeeded().also { places["batch.blocking"] = seen() } },
                )
                asyncBatch(
                    asyncBatch,
                    10,
                    telemetry.asyncBatch {
                        places["batch.async"] = seen()
                        CompletableFuture.supplyAsync { BatchOutcome.succeeded() }
                    },
                )
            }

            val ids = bench.service.serving("request", Baggage.builder().put("customer", "c 7/ä").build()) {
                (all - timed).map { bench.client.jobs.enqueue(it, 1).id() }
            }
            bench.work(registry, ids)

            val processes = bench.spans.filter { it.kind == SpanKind.CONSUMER }.associateBy { it.name.removePrefix("process ") }
            processes.keys shouldBe (all - timed).map { it.name() }.toSet()
            places.size shouldBe 10
            places.forEach { (place, seen) ->
                val type = place.substringBefore(' ')
                val span = processes.getValue(type)
                // A batch has jobs of several traces, so it takes the baggage of none.
                val baggage = if (type.startsWith("batch")) null else "c 7/ä"
                (place to seen) shouldBe (place to Seen(span.spanId, span.traceId, span.spanId, baggage))
            }
        }

        test("nothing of a trace stays on a thread") {
            val bench = bench()
            val request = JobRequest.builder(suspending, 1).build()

            val ids = bench.client.jobs.enqueueAll(List(50) { request }).map { it.id() }
            val left = ConcurrentHashMap.newKeySet<String>()
            RunledgerWorker.builder(bench.client)
                .intercept { _, next ->
                    if (Span.current().spanContext.isValid || MDC.get("trace_id") != null) left += Thread.currentThread().name
                    next().also {
                        if (Span.current().spanContext.isValid || MDC.get("trace_id") != null) left += Thread.currentThread().name
                    }
                }
                .intercept(bench.service.telemetry.interceptor)
                .handlers(handlers { on(suspending) { yield().let { JobOutcome.succeeded() } } })
                .start().use {
                    until("all jobs have ended") { ids.all { id -> bench.client.jobs.get(Scope.everything(), id).isTerminal } }
                }

            left.shouldBeEmpty()
            bench.spans.count { it.kind == SpanKind.CONSUMER } shouldBe 50
        }

        test("the attributes follow the conventions for messaging") {
            val bench = bench()
            val id = bench.client.jobs.enqueue(suspending, 1).id()

            bench.work(handlers { on(suspending) { JobOutcome.succeeded() } }, listOf(id))

            fun attributes(kind: SpanKind) =
                bench.spans.single { it.kind == kind }.attributes.asMap().entries.associate { it.key.key to "${it.value}" }
            attributes(SpanKind.PRODUCER) shouldContainExactly mapOf(
                "messaging.system" to "runledger",
                "messaging.operation.name" to "enqueue",
                "messaging.operation.type" to "create",
                "messaging.destination.name" to "suspending",
                "runledger.job.type" to "suspending",
            )
            attributes(SpanKind.CONSUMER) shouldContainExactly mapOf(
                "messaging.system" to "runledger",
                "messaging.operation.name" to "process",
                "messaging.operation.type" to "process",
                "messaging.destination.name" to "suspending",
                "messaging.message.id" to "$id",
                "runledger.job.type" to "suspending",
                "runledger.job.run_number" to "1",
                "runledger.job.attempt" to "1",
                "runledger.outcome" to "SUCCEEDED",
            )
        }

        test("failures are recorded by code or class, without messages") {
            val bench = bench()
            val secret = "4111-1111"
            val registry = handlers {
                on(suspending) { JobOutcome.failed("card.refused", secret) }
                blocking(blocking) { error(secret) }
                async(async) { CompletableFuture.failedFuture(IllegalArgumentException(secret)) }
                on(timed) { awaitCancellation() }
                suspendingBatch(
                    suspendingBatch,
                    10,
                    bench.service.telemetry.suspendingBatch<Int> { BatchOutcome.all(JobOutcome.failed("batch.bad", secret)) },
                )
                asyncBatch(
                    asyncBatch,
                    10,
                    bench.service.telemetry.asyncBatch { CompletableFuture.failedFuture(IllegalArgumentException(secret)) },
                )
            }
            val types = listOf(suspending, blocking, async, timed, suspendingBatch, asyncBatch)

            bench.work(registry, types.map { bench.client.jobs.enqueue(it, 1).id() })

            val processes = bench.spans.filter { it.kind == SpanKind.CONSUMER }
            processes.forEach { it.status.statusCode shouldBe StatusCode.ERROR }
            processes.map { span ->
                val attributes = span.attributes.asMap().entries.associate { it.key.key to "${it.value}" }
                "${span.name} ${attributes["runledger.outcome"]} ${attributes["error.type"]}"
            } shouldContainExactlyInAnyOrder listOf(
                "process suspending FAILED card.refused",
                "process blocking FAILED java.lang.IllegalStateException",
                "process async FAILED java.lang.IllegalArgumentException",
                "process timed TIMEOUT timeout",
                "process batch.suspending FAILED batch.bad",
                "process batch.async FAILED java.lang.IllegalArgumentException",
            )
            "$processes" shouldNotContain secret
        }

        test("a batch is linked to the enqueue of each of its jobs") {
            val bench = bench()
            val ids = List(3) { n -> bench.service.serving("request $n") { bench.client.jobs.enqueue(suspendingBatch, n).id() } }

            bench.work(
                handlers {
                    suspendingBatch(
                        suspendingBatch,
                        10,
                        bench.service.telemetry.suspendingBatch<Int> { BatchOutcome.succeeded() },
                    )
                },
                ids,
            )

            val enqueues = bench.spans.filter { it.kind == SpanKind.PRODUCER }.map { it.spanId }
            bench.spans.filter { it.kind == SpanKind.CONSUMER }.flatMap { span -> span.links.map { it.spanContext.spanId } }
                .shouldContainExactlyInAnyOrder(enqueues)
        }

        test("a job from a client without tracing begins a trace of its own") {
            val bench = bench()
            val id = bench.ledger.client.jobs.enqueue(suspending, 1).id()

            bench.work(handlers { on(suspending) { JobOutcome.succeeded() } }, listOf(id))

            val span = bench.spans.single()
            span.parentSpanContext.isValid shouldBe false
            span.links.shouldBeEmpty()
        }

        test("baggage that is too large is left out, and the job is enqueued") {
            val bench = bench()
            val large = Baggage.builder().put("customer", "c".repeat(5_000)).build()

            val id = bench.service.serving("request", large) { bench.client.jobs.enqueue(suspending, 1).id() }

            bench.client.jobs.get(Scope.everything(), id).headers().keys shouldBe setOf("traceparent")
        }

        test("a failing propagator does not keep the job from being enqueued") {
            val bench = bench()
            val broken = object : TextMapPropagator {
                override fun fields(): Collection<String> = emptyList()

                override fun <C> inject(context: Context, carrier: C?, setter: TextMapSetter<C>) = error("broken")

                override fun <C> extract(context: Context, carrier: C?, getter: TextMapGetter<C>): Context = context
            }
            val openTelemetry = object : OpenTelemetry {
                override fun getTracerProvider(): TracerProvider = bench.service.openTelemetry.tracerProvider

                override fun getPropagators(): ContextPropagators = ContextPropagators.create(broken)
            }
            val client = RunledgerTelemetry.create(openTelemetry).trace(RunledgerClient.builder(bench.ledger.dataSource)).build()

            val id = client.jobs.enqueue(suspending, 1).id()

            client.jobs.get(Scope.everything(), id).headers() shouldBe emptyMap()
        }
    })
