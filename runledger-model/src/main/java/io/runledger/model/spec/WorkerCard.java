package io.runledger.model.spec;

import io.runledger.model.error.ErrorCode;
import io.runledger.model.error.InvalidRequestException;
import io.runledger.model.id.Identifier;
import io.runledger.model.id.Text;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a worker says of itself when it comes.
 *
 * @param id this run of the worker, another one every time it starts
 * @param workerId who it is in the leases it holds
 * @param labels what orders can call it by
 * @param jobTypes the job types it has handlers for
 * @param slots how many jobs it runs at once, at most
 * @param libraryVersion the version of Runledger
 * @param applicationVersion the version of the service, or null
 * @param host the machine
 * @param processId the process there
 * @param beatInterval how often it means to beat, a millisecond to a day; after three of these it is believed lost
 */
public record WorkerCard(
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
    private static final int LONGEST = 255;

    /**
     * Checks what it says.
     *
     * @param id see the record
     * @param workerId see the record
     * @param labels see the record
     * @param jobTypes see the record
     * @param slots see the record
     * @param libraryVersion see the record
     * @param applicationVersion see the record
     * @param host see the record
     * @param processId see the record
     * @param beatInterval see the record
     * @throws InvalidRequestException with {@code job.invalid_worker_id}, {@code job.invalid_job_type} or {@code request.invalid}
     */
    public WorkerCard {
        Identifier.WORKER_ID.require(workerId);
        labels = Set.copyOf(labels);
        labels.forEach(Identifier.WORKER_LABEL::require);
        jobTypes = jobTypes.stream().distinct().toList();
        jobTypes.forEach(Identifier.JOB_TYPE::require);
        require(slots > 0, "slots is " + slots + ": a worker has at least one.");
        requireText("libraryVersion", libraryVersion);
        if (applicationVersion != null) {
            requireText("applicationVersion", applicationVersion);
        }
        requireText("host", host);
        require(processId >= 0, "processId is " + processId + ": give zero or more.");
        require(
                beatInterval.compareTo(Duration.ofMillis(1)) >= 0 && beatInterval.compareTo(Duration.ofDays(1)) <= 0,
                "beatInterval is " + beatInterval + ": give a millisecond to a day.");
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
