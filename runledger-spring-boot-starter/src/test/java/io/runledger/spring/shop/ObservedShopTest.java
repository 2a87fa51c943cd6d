package io.runledger.spring.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.runledger.exposed.RunledgerClient;
import io.runledger.micrometer.LedgerMetrics;
import io.runledger.micrometer.WorkerMetrics;
import io.runledger.opentelemetry.RunledgerTelemetry;
import io.runledger.spring.beans.MoreBeans;
import io.runledger.spring.test.AutoConfigureTestLedger;
import io.runledger.test.Waiting;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The metrics and the traces of an application that has a registry, an OpenTelemetry bean, and a meter with tags of its own. */
@SpringBootTest(
        classes = {
            ShopApplication.class,
            MoreBeans.ListedHandlers.class,
            ObservedShopTest.Meters.class,
            ObservedShopTest.Traces.class
        },
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = "spring.flyway.locations=classpath:io/runledger/spring/orders")
@AutoConfigureTestLedger(worker = true)
class ObservedShopTest {
    @Autowired
    RunledgerClient client;

    @Autowired
    MeterRegistry registry;

    @Autowired
    InMemorySpanExporter spans;

    @Autowired
    LedgerMetrics fleet;

    @Autowired
    RunledgerTelemetry telemetry;

    @Test
    void aJobIsCountedAndTracedFromItsEnqueueToItsHandler() {
        client.jobs().enqueue(MoreBeans.INVOICE, "A-1");

        Waiting.until(
                "the attempt is counted with the tag of the application's own meter",
                () -> registry
                                .find("runledger.job.attempts")
                                .tags("type", "invoice", "result", "succeeded", "shop", "north")
                                .counters()
                                .stream()
                                .mapToDouble(counter -> counter.count())
                                .sum()
                        == 1);
        Waiting.until(
                "both spans have ended", () -> spans.getFinishedSpanItems().size() == 2);
        Waiting.until(
                "the gauges of the fleet show the worker",
                () -> registry.get("runledger.fleet.workers")
                                .tags("state", "working")
                                .gauge()
                                .value()
                        == 1);

        var items = spans.getFinishedSpanItems();
        var producer = items.stream()
                .filter(span -> span.getKind() == SpanKind.PRODUCER)
                .findAny()
                .orElseThrow();
        var consumer = items.stream()
                .filter(span -> span.getKind() == SpanKind.CONSUMER)
                .findAny()
                .orElseThrow();
        assertEquals(producer.getSpanId(), consumer.getParentSpanId());
        assertNotNull(fleet);
        assertNotNull(telemetry);
    }

    @Configuration(proxyBeanMethods = false)
    static class Meters {
        @Bean
        WorkerMetrics shopMeters(MeterRegistry registry) {
            return WorkerMetrics.builder(registry)
                    .tags(Tags.of("shop", "north"))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Traces {
        @Bean
        InMemorySpanExporter spanExporter() {
            return InMemorySpanExporter.create();
        }

        @Bean
        OpenTelemetry openTelemetry(InMemorySpanExporter exporter) {
            return OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                            .build())
                    .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                    .build();
        }
    }
}
