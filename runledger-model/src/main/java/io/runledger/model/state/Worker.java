package io.runledger.model.state;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker as its last beat showed it.
 *
 * @param id this run of the worker; another one every time it starts
 * @param workerId who it is in the leases it holds
 * @param labels what orders can call it by
 * @param jobTypes the job types it has handlers for
 * @param slots how many jobs it runs at once, at most
 * @param busySlots how many it ran
 * @param libraryVersion the version of Runledger it was built with, or {@code unknown}
 * @param applicationVersion the version of the service, if it told
 * @param host the machine
 * @param processId the process there
 * @param startedAt when it came, by the database's clock
 * @param lastBeatAt when it last beat, by the database's clock
 * @param state what it did
 * @param isLost whether it has missed three beats, by the database's clock: it died, or cannot reach the database
 */
public record Worker(
        UUID id,
        String workerId,
        Set<String> labels,
        List<String> jobTypes,
        int slots,
        int busySlots,
        String libraryVersion,
        @Nullable String applicationVersion,
        String host,
        long processId,
        Instant startedAt,
        Instant lastBeatAt,
        WorkerState state,
        boolean isLost) {
    /**
     * Keeps copies of what it is given.
     *
     * @param id see the record
     * @param workerId see the record
     * @param labels see the record
     * @param jobTypes see the record
     * @param slots see the record
     * @param busySlots see the record
     * @param libraryVersion see the record
     * @param applicationVersion see the record
     * @param host see the record
     * @param processId see the record
     * @param startedAt see the record
     * @param lastBeatAt see the record
     * @param state see the record
     * @param isLost see the record
     */
    public Worker {
        labels = Set.copyOf(labels);
        jobTypes = List.copyOf(jobTypes);
    }
}
