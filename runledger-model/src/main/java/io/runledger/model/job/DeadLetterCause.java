package io.runledger.model.job;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Open dead letters with the same job type, failure code and message. Messages are compared after their variable parts
 * were replaced: UUIDs by {@code <uuid>}, hexadecimal ids by {@code <hex>}, numbers by {@code <number>} and quoted texts
 * by {@code <text>}. White space is folded, and the first 200 characters count.
 *
 * @param errorCode code of the failure; null if the row has none
 * @param message the message with its variable parts replaced; null if the failure has no message
 * @param count number of dead letters, including those of workflow steps, which are retried with their run
 * @param firstAt when the first of these jobs gave up
 * @param lastAt when the last of these jobs gave up
 * @param perHour the dead letters of the last 24 hours: 24 numbers, the oldest hour first
 * @param sampleJobId the job that gave up last
 */
public record DeadLetterCause(
        String jobType,
        @Nullable String errorCode,
        @Nullable String message,
        long count,
        Instant firstAt,
        Instant lastAt,
        List<Long> perHour,
        UUID sampleJobId) {
    public DeadLetterCause {
        perHour = List.copyOf(perHour);
    }

    /** Selects these dead letters, for a requeue or a preview. Also selects jobs that join the group later. */
    public JobSelection selection() {
        JobSelection ofType = JobSelection.ofType(jobType).failedWithMessage(message == null ? "" : message);
        return errorCode == null ? ofType : ofType.failedWith(errorCode);
    }
}
