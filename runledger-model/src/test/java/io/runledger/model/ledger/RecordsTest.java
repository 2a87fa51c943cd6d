package io.runledger.model.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.runledger.model.failure.AttemptOutcome;
import io.runledger.model.flow.StoredFlow;
import io.runledger.model.job.Attempt;
import io.runledger.model.job.ClaimOrigin;
import io.runledger.model.job.JobStage;
import io.runledger.model.job.JobStatus;
import io.runledger.model.job.JobSummary;
import io.runledger.model.job.Lease;
import io.runledger.model.job.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RecordsTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    @Test
    void anAttemptTellsHowLongItTook() {
        assertEquals(Duration.ofSeconds(90), attempt(NOON, NOON.plusSeconds(90)).duration());
    }

    @Test
    void leasesAreEqualOnlyInAllParts() {
        UUID job = new UUID(0, 1);
        Lease lease = new Lease(job, 1, 2, "w1", new UUID(0, 2));

        assertEquals(lease, new Lease(job, 1, 2, "w1", new UUID(0, 2)));
        assertNotEquals(lease, new Lease(job, 1, 3, "w1", new UUID(0, 2)));
        assertNotEquals(lease, new Lease(job, 2, 2, "w1", new UUID(0, 2)));
        assertNotEquals(lease, new Lease(job, 1, 2, "w1", new UUID(0, 3)));
    }

    @Test
    void aSummaryIsTerminalAsItsStatusSays() {
        for (JobStatus status : JobStatus.values()) {
            assertEquals(status.isTerminal(), summary(status).isTerminal());
        }
    }

    @Test
    void aPageKeepsItsItemsAndKnowsWhetherMoreFollows() {
        List<String> read = new ArrayList<>(List.of("a", "b"));
        Page<String> page = new Page<>(read, "after-b");
        read.clear();

        assertEquals(List.of("a", "b"), page.items());
        assertThrows(UnsupportedOperationException.class, () -> page.items().add("c"));
        assertTrue(page.hasNext());
        assertFalse(new Page<>(List.of(), null).hasNext());
    }

    private static Attempt attempt(Instant started, Instant finished) {
        return new Attempt(
                new UUID(0, 1),
                1,
                1,
                AttemptOutcome.SUCCEEDED,
                "w1",
                ClaimOrigin.DIRECT,
                Duration.ofSeconds(30),
                started.minusSeconds(5),
                started,
                null,
                null,
                finished,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static JobSummary summary(JobStatus status) {
        return new JobSummary(
                new UUID(0, 1),
                "mail.send",
                null,
                status,
                JobStage.QUEUED,
                100,
                1,
                0,
                8,
                Progress.NONE,
                null,
                StoredFlow.NONE,
                null,
                NOON,
                NOON,
                NOON,
                null,
                null);
    }
}
