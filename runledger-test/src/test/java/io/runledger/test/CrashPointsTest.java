package io.runledger.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.coroutines.Handlers;
import io.runledger.model.handler.JobOutcome;
import io.runledger.model.job.JobStatus;
import io.runledger.model.job.JobType;
import io.runledger.model.ledger.Scope;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How a test of crash points reads in Java. */
class CrashPointsTest {
    private static final JobType<String> GREET = JobType.of("greet", String.class);

    @Test
    void aJobIsFinishedWhereverItsProcessDies() {
        var job = new AtomicReference<UUID>();

        int points = CrashPoints.of(ledger -> {
                    ledger.client().definitions().declare(GREET);
                    job.set(ledger.client().jobs().enqueue(GREET, "Ada").id());
                })
                .handlers(dataSource -> Handlers.builder()
                        .blocking(GREET, greeting -> JobOutcome.succeeded("Hello, " + greeting.payload()))
                        .build())
                .check(ledger -> assertEquals(
                        JobStatus.SUCCEEDED,
                        ledger.client().jobs().get(Scope.global(), job.get()).status()));

        assertTrue(points > 0);
    }
}
