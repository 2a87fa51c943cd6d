package io.runledger.spring

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.micrometer.core.instrument.MeterRegistry
import io.opentelemetry.api.OpenTelemetry
import io.opentelemetry.api.trace.SpanKind
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator
import io.opentelemetry.context.propagation.ContextPropagators
import io.opentelemetry.sdk.OpenTelemetrySdk
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter
import io.opentelemetry.sdk.trace.SdkTracerProvider
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor
import io.runledger.coroutines.Handlers
import io.runledger.coroutines.handlers
import io.runledger.model.job.JobType
import io.runledger.opentelemetry.RunledgerTelemetry
import io.runledger.test.until
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

private val letter = JobType.of("letter", String::class.java)

class ObserveSpec :
    FunSpec({
        test("with the modules on the class path, the worker is metered and the fleet has gauges") {
            application(freshDatabase(), beans = listOf(Letters::class)).use { app ->
                val registry = app.bean<MeterRegistry>()

                repeat(3) { app.client.jobs.enqueue(letter, "dear $it") }
                until("three jobs are counted") {
                    registry.find("runledger.job.attempts").tags("type", "letter", "result", "succeeded").counter()?.count() ==
                        3.0
                }

                registry.find("runledger.job.wait").tags("type", "letter").timer()?.count() shouldBe 3
                // The gauges share a reading for some seconds, and the first one may be older than the worker.
                until("the worker is seen") {
                    registry.find("runledger.fleet.workers").tags("state", "working").gauge()?.value() == 1.0
                }
            }
        }

        test("with an OpenTelemetry bean, a trace goes on from the enqueue to the attempt") {
            application(freshDatabase(), beans = listOf(Letters::class, Traces::class)).use { app ->
                val spans = app.bean<InMemorySpanExporter>()

                app.client.jobs.enqueue(letter, "dear reader")
                until("two spans have ended") { spans.finishedSpanItems.size == 2 }

                val (producer, consumer) = spans.finishedSpanItems.sortedBy { it.kind != SpanKind.PRODUCER }
                listOf(producer.kind, consumer.kind) shouldContainExactly listOf(SpanKind.PRODUCER, SpanKind.CONSUMER)
                consumer.traceId shouldBe producer.traceId
            }
        }

        test("without an OpenTelemetry bean there are no traces") {
            application(freshDatabase(), beans = listOf(Letters::class)).use { app ->
                app.getBeansOfType(RunledgerTelemetry::class.java).shouldBeEmpty()
            }
        }
    })

@Configuration(proxyBeanMethods = false)
class Letters {
    @Bean
    fun letterHandlers(): Handlers = handlers { on(letter) { } }
}

@Configuration(proxyBeanMethods = false)
class Traces {
    @Bean
    fun spanExporter(): InMemorySpanExporter = InMemorySpanExporter.create()

    @Bean
    fun openTelemetry(exporter: InMemorySpanExporter): OpenTelemetry = OpenTelemetrySdk.builder()
        .setTracerProvider(SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build())
        .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
        .build()
}
