package io.runledger.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.coroutines.worker.RunledgerWorker;
import io.runledger.exposed.RunledgerClient;
import io.runledger.model.failure.JobFailure;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.DeadLetterReason;
import io.runledger.model.job.JobRequest;
import io.runledger.model.job.JobType;
import io.runledger.model.lease.ClaimedJob;
import io.runledger.postgres.TestDatabase;
import io.runledger.postgres.TestPostgres;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class WorkerMeterTest {
    private static final JobType<String> GREET = JobType.of("greet", String.class);

    /** Counts the attempts by type and result. */
    static final class Counts implements WorkerMeter {
        final Map<String, LongAdder> ends = new ConcurrentHashMap<>();
        final CountDownLatch three = new CountDownLatch(3);

        @Override
        public void ended(ClaimedJob job, Result result, long runNanos, JobFailure failure, DeadLetterReason reason) {
            ends.computeIfAbsent(job.jobType() + " " + result, unused -> new LongAdder())
                    .increment();
            three.countDown();
        }
    }

    @Test
    void aServiceMeasuresItsWorkerWithAMeterOfItsOwn() throws Exception {
        try (TestDatabase database = TestPostgres.shared().freshDatabase()) {
            var client = RunledgerClient.create(database.dataSource());
            client.migrate();
            client.definitions().sync(List.of(GREET));
            for (int n = 0; n < 3; n++) {
                client.jobs().enqueue(JobRequest.builder(GREET, "Ada").build());
            }
            var counts = new Counts();
            var handlers = Handlers.builder()
                    .blocking(GREET, job -> JobOutcome.succeeded("hello " + job.payload()))
                    .build();

            try (var worker = RunledgerWorker.builder(client)
                    .handlers(handlers)
                    .meter(counts)
                    .start()) {
                assertTrue(counts.three.await(1, TimeUnit.MINUTES));
                assertFalse(worker.ended().isDone());
            }

            assertEquals(3, counts.ends.get("greet SUCCEEDED").sum());
        }
    }
}
