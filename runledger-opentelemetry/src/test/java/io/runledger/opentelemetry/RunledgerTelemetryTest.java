package io.runledger.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.coroutines.worker.RunningWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.BatchOutcome;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobType;
import io.runledger.model.value.HeaderSource;
import io.runledger.test.TestLedger;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** How a service traces its client and its worker in Java. */
class RunledgerTelemetryTest {
    static final JobType<String> GREET = JobType.of("greet", String.class);
    static final JobType<String> INDEX = JobType.of("index", String.class);
    static final JobType<String> EXPORT = JobType.of("export", String.class);

    static RunledgerClient tracedClient(DataSource dataSource, OpenTelemetry openTelemetry) {
        return RunledgerTelemetry.create(openTelemetry)
                .trace(RunledgerClient.builder(dataSource))
                .build();
    }

    static RunningWorker tracedWorker(RunledgerClient client, Handlers handlers, OpenTelemetry openTelemetry) {
        return RunledgerTelemetry.create(openTelemetry)
                .trace(RunledgerWorker.builder(client))
                .handlers(handlers)
                .start();
    }

    @Test
    void anAttemptContinuesTheTraceOfItsEnqueue() throws Exception {
        var exporter = InMemorySpanExporter.create();
        var openTelemetry = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                        .build())
                .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                .build();
        var telemetry = RunledgerTelemetry.create(openTelemetry);
        try (var ledger = TestLedger.fresh()) {
            var client = tracedClient(ledger.dataSource(), openTelemetry);
            client.definitions().sync(List.of(GREET, INDEX, EXPORT));
            var traces = List.of(
                    new CompletableFuture<String>(), new CompletableFuture<String>(), new CompletableFuture<String>());
            var handlers = Handlers.builder()
                    .blocking(GREET, job -> {
                        traces.get(0).complete(Span.current().getSpanContext().getTraceId());
                        return JobOutcome.succeeded();
                    })
                    .blockingBatch(INDEX, 100, telemetry.blockingBatch(jobs -> {
                        traces.get(1).complete(Span.current().getSpanContext().getTraceId());
                        return BatchOutcome.succeeded();
                    }))
                    .asyncBatch(EXPORT, 100, telemetry.asyncBatch(jobs -> {
                        traces.get(2).complete(Span.current().getSpanContext().getTraceId());
                        return CompletableFuture.completedFuture(BatchOutcome.succeeded());
                    }))
                    .build();
            var worker = tracedWorker(client, handlers, openTelemetry);
            try (worker) {
                client.jobs().enqueue(GREET, "Ada");
                client.jobs().enqueue(INDEX, "page");
                client.jobs().enqueue(EXPORT, "page");
                for (var trace : traces) {
                    trace.get(30, TimeUnit.SECONDS);
                }
            }
            var enqueued = exporter.getFinishedSpanItems().stream()
                    .filter(span -> span.getName().equals("enqueue greet"))
                    .findFirst()
                    .orElseThrow();
            assertEquals(enqueued.getTraceId(), traces.get(0).get());
        }
    }

    @Test
    void theSourceOfHeadersCanBeCombinedWithOthers() {
        var telemetry = RunledgerTelemetry.create(OpenTelemetry.noop());
        HeaderSource source = telemetry.headers();

        assertTrue(source.headers(new HeaderSource.Target(HeaderSource.Kind.JOB, "greet"))
                .isEmpty());
    }
}
