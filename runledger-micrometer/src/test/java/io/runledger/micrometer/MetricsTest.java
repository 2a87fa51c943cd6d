package io.runledger.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.runledger.coroutines.Handlers;
import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.coroutines.worker.RunningWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import io.runledger.test.TestLedger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private static final JobType<String> GREET = JobType.of("greet", String.class);

    @Test
    void aServiceMeasuresItsWorkerAndItsLedger() {
        try (var ledger = TestLedger.fresh()) {
            ledger.client().definitions().sync(List.of(GREET));
            var registry = new SimpleMeterRegistry();
            var handlers = Handlers.builder()
                    .blocking(GREET, job -> JobOutcome.succeeded("hello " + job.payload()))
                    .build();

            try (var worker = startMeasured(ledger.client(), handlers, registry)) {
                ledger.client().jobs().enqueue(JobRequest.builder(GREET, "Ada").build());
                var start = System.nanoTime();
                while (registry.find("runledger.job.attempts")
                                        .tag("result", "succeeded")
                                        .counter()
                                == null
                        || registry.get("runledger.job.attempts")
                                        .tag("result", "succeeded")
                                        .counter()
                                        .count()
                                < 1) {
                    assertTrue(System.nanoTime() - start < TimeUnit.MINUTES.toNanos(1), "The job was not measured.");
                    Thread.onSpinWait();
                }
                assertFalse(worker.ended().isDone());
            }

            assertNotNull(registry.find("runledger.fleet.runs.open").gauge());
            assertEquals(10_000, ledger.client().metrics().fleet().limit());
            assertEquals(
                    List.of("greet"),
                    ledger.client().metrics().fleet(100).types().stream()
                            .map(type -> type.jobType())
                            .toList());
        }
    }

    @Test
    void metersTakeSettings() {
        var registry = new SimpleMeterRegistry();

        WorkerMetrics.builder(registry)
                .tags(Tags.of("ledger", "orders"))
                .maxTypes(20)
                .maxCodes(20)
                .buckets(Duration.ofSeconds(1))
                .build();

        assertEquals(
                0,
                registry.get("runledger.worker.unavailable")
                        .tag("ledger", "orders")
                        .gauge()
                        .value());
    }

    private static RunningWorker startMeasured(RunledgerClient client, Handlers handlers, MeterRegistry registry) {
        new LedgerMetrics(client).bindTo(registry);
        return RunledgerWorker.builder(client)
                .handlers(handlers)
                .meter(new WorkerMetrics(registry))
                .start();
    }
}
