package io.runledger.model.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of a worker as of its last heartbeat.
 *
 * @param id id of the worker instance; changes with every start
 * @param workerId worker id in the leases
 * @param labels labels by which orders select the worker
 * @param jobTypes job types that the worker serves
 * @param queues queues that the worker claims from, {@code default} for the jobs in no named queue; null for all
 * @param slots maximum number of concurrent jobs
 * @param busySlots number of running jobs
 * @param heldJobs number of jobs that the worker has claimed ahead and that wait for a slot
 * @param libraryVersion version of Runledger, or {@code unknown}
 * @param applicationVersion version of the application, if known
 * @param startedAt start of the worker, by the database's clock
 * @param lastBeatAt last heartbeat, by the database's clock
 * @param isLost whether the worker has missed three heartbeats, by the database's clock
 */
public record Worker(
        UUID id,
        String workerId,
        Set<String> labels,
        List<String> jobTypes,
        @Nullable Set<String> queues,
        int slots,
        int busySlots,
        int heldJobs,
        String libraryVersion,
        @Nullable String applicationVersion,
        String host,
        long processId,
        Instant startedAt,
        Instant lastBeatAt,
        WorkerState state,
        boolean isLost) {
    public Worker {
        labels = Set.copyOf(labels);
        jobTypes = List.copyOf(jobTypes);
        queues = queues == null ? null : Set.copyOf(queues);
    }
}
