package io.runledger.model.state;

import io.runledger.model.error.RunledgerException;
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
 * @param nextRunAt when it is due again, or, deferred, looked at again; null for a dead letter
 * @param refusal what the database had against it; null unless it was deferred
 */
public record ReapedJob(
        Lease lease,
        String jobType,
        @Nullable UUID organizationId,
        Result result,
        @Nullable Instant nextRunAt,
        @Nullable RunledgerException refusal) {
    /** What became of it. */
    public enum Result {
        /** Its handler had never started: given back at once, without spending the attempt. */
        RELEASED,
        /** It will be tried again. */
        RETRY_SCHEDULED,
        /** No attempts were left, or its policy gives up on vanished workers. */
        DEAD_LETTERED,
        /**
         * The database would not take its ending, for example because of a trigger or a constraint of the service's own. The lease is
         * over all the same, and the next reaping after {@code nextRunAt} tries again.
         */
        DEFERRED
    }
}
