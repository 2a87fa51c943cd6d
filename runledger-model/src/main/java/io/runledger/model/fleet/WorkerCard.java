package io.runledger.model.fleet;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.text.Text;
import io.runledger.model.value.Identifier;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The registration of a worker at its start.
 *
 * @param id id of the worker instance; changes with every start
 * @param workerId worker id in the leases
 * @param labels labels by which orders select the worker
 * @param jobTypes job types that the worker serves
 * @param queues queues that the worker claims from, {@code default} for the jobs in no named queue; null for all
 * @param slots maximum number of concurrent jobs
 * @param libraryVersion version of Runledger
 * @param applicationVersion version of the application, or null
 * @param beatInterval interval of the heartbeats, one millisecond to one day; after three missed heartbeats the worker
 *     counts as lost
 */
public record WorkerCard(
        UUID id,
        String workerId,
        Set<String> labels,
        List<String> jobTypes,
        @Nullable Set<String> queues,
        int slots,
        String libraryVersion,
        @Nullable String applicationVersion,
        String host,
        long processId,
        Duration beatInterval) {
    private static final int LONGEST = 255;

    /**
     * @throws InvalidRequestException with {@code job.invalid_worker_id}, {@code job.invalid_job_type} or
     *     {@code request.invalid}
     */
    public WorkerCard {
        Identifier.WORKER_ID.require(workerId);
        labels = Set.copyOf(labels);
        labels.forEach(Identifier.WORKER_LABEL::require);
        jobTypes = jobTypes.stream().distinct().toList();
        jobTypes.forEach(Identifier.JOB_TYPE::require);
        queues = queues == null ? null : Set.copyOf(queues);
        if (queues != null) {
            queues.forEach(Identifier.WORKER_LABEL::require);
        }
        require(slots > 0, "slots is " + slots + ": a worker needs at least one.");
        requireText("libraryVersion", libraryVersion);
        if (applicationVersion != null) {
            requireText("applicationVersion", applicationVersion);
        }
        requireText("host", host);
        require(processId >= 0, "processId is " + processId + ": use zero or more.");
        require(
                beatInterval.compareTo(Duration.ofMillis(1)) >= 0 && beatInterval.compareTo(Duration.ofDays(1)) <= 0,
                "beatInterval is " + beatInterval + ": use one millisecond to one day.");
    }

    /** The registration of a worker that serves all queues. */
    public WorkerCard(
            UUID id,
            String workerId,
            Set<String> labels,
            List<String> jobTypes,
            int slots,
            String libraryVersion,
            @Nullable String applicationVersion,
            String host,
            long processId,
            Duration beatInterval) {
        this(
                id,
                workerId,
                labels,
                jobTypes,
                null,
                slots,
                libraryVersion,
                applicationVersion,
                host,
                processId,
                beatInterval);
    }

    private static void requireText(String what, String text) {
        boolean isFit = !Text.isBlank(text) && Text.isStorable(text) && Text.utf8Length(text) <= LONGEST;
        require(
                isFit,
                what + " is blank, longer than " + LONGEST + " bytes or cannot be stored: use short visible text.");
    }

    private static void require(boolean isFit, String problem) {
        if (!isFit) {
            throw new InvalidRequestException(ErrorCode.INVALID_ARGUMENT, problem);
        }
    }
}
