package io.runledger.opentelemetry

import io.opentelemetry.api.OpenTelemetry
import io.opentelemetry.api.baggage.Baggage
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator
import io.opentelemetry.api.common.AttributeKey
import io.opentelemetry.api.common.Attributes
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator
import io.opentelemetry.context.Context
import io.opentelemetry.context.propagation.ContextPropagators
import io.opentelemetry.context.propagation.TextMapPropagator
import io.opentelemetry.sdk.OpenTelemetrySdk
import io.opentelemetry.sdk.common.Clock
import io.opentelemetry.sdk.resources.Resource
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter
import io.opentelemetry.sdk.trace.SdkTracerProvider
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.coroutines.worker.RunledgerWorker
import io.runledger.coroutines.worker.RunningWorker
import io.runledger.exposed.RunledgerClient
import io.runledger.model.handler.BatchOutcome
import io.runledger.model.handler.JobContext
import io.runledger.model.job.JobType
import io.runledger.test.TestLedger
import java.time.Duration
import java.util.concurrent.atomic.AtomicLong
import javax.sql.DataSource

fun tracedClient(dataSource: DataSource, openTelemetry: OpenTelemetry): RunledgerClient =
    RunledgerTelemetry.create(openTelemetry).trace(RunledgerClient.builder(dataSource)).build()

fun tracedWorker(client: RunledgerClient, handlers: Handlers, openTelemetry: OpenTelemetry): RunningWorker =
    RunledgerTelemetry.create(openTelemetry).trace(RunledgerWorker.builder(client)).handlers(handlers).start()

fun indexHandlers(telemetry: RunledgerTelemetry, indexPage: JobType<String>, index: (List<JobContext<String>>) -> BatchOutcome) =
    handlers {
        suspendingBatch(indexPage, 100, telemetry.suspendingBatch { jobs -> index(jobs) })
    }

/** A service of its own: tracing, client and worker. All services of a test export to one place. */
class Service(val name: String, private val ledger: TestLedger, exporter: InMemorySpanExporter, clock: Clock) : AutoCloseable {
    val openTelemetry: OpenTelemetrySdk = OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder().setClock(clock)
                .setResource(Resource.create(Attributes.of(serviceName, name)))
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build(),
        )
        .setPropagators(
            ContextPropagators.create(
                TextMapPropagator.composite(W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance()),
            ),
        )
        .build()
    val telemetry = RunledgerTelemetry.create(openTelemetry)
    val client: RunledgerClient =
        telemetry.trace(RunledgerClient.builder(ledger.dataSource).schema(ledger.client.schema)).build()

    fun start(handlers: Handlers, firesSchedules: Boolean = false): RunningWorker =
        telemetry.trace(RunledgerWorker.builder(client)).handlers(handlers).config {
            it.pollInterval(Duration.ofMillis(20)).maxPollInterval(Duration.ofMillis(100)).scheduler(firesSchedules)
                .schedulerInterval(Duration.ofMillis(50))
        }.start()

    /** Does [work] in a span, as for a request that the service serves. */
    fun <T> serving(request: String, baggage: Baggage = Baggage.empty(), work: () -> T): T {
        val span = openTelemetry.getTracer("test").spanBuilder(request).startSpan()
        return Context.root().with(baggage).with(span).makeCurrent().use { work() }.also { span.end() }
    }

    override fun close() = openTelemetry.close()

    companion object {
        val serviceName: AttributeKey<String> = AttributeKey.stringKey("service.name")
    }
}

/** Ticks with every reading, so that spans of all services have one order. */
class TickingClock : Clock {
    private val nanos = AtomicLong(START)

    override fun now(): Long = nanos.addAndGet(TICK)

    override fun nanoTime(): Long = nanos.addAndGet(TICK)

    private companion object {
        const val START = 1_700_000_000_000_000_000L
        const val TICK = 1_000L
    }
}
