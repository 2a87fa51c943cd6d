package io.runledger.model.state;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job whose worker vanished, and what became of it.
 *
 * @param lease the lease that ran out
 * @param jobType the job's type
 * @param organizationId the job's organization, or null for a global job
 * @param result what became of it
 * @param nextRunAt when it is due again; null for a dead letter
 */
public record ReapedJob(
        Lease lease,
        String jobType,
        @Nullable UUID organizationId,
        Result result,
        @Nullable Instant nextRunAt) {
    /** What became of it. */
    public enum Result {
        /** Its handler had never started: given back at once, without spending the attempt. */
        RELEASED,
        /** It will be tried again. */
        RETRY_SCHEDULED,
        /** No attempts were left. */
        DEAD_LETTERED
    }
}
