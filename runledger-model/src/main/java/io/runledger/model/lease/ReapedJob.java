package io.runledger.model.lease;

import io.runledger.model.error.RunledgerException;
import io.runledger.model.job.Lease;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The result of reaping a job whose lease expired.
 *
 * @param lease the expired lease
 * @param organizationId organization of the job, or null for a global job
 * @param nextRunAt time at which the job is due again or, if deferred, is reaped again; null for a dead letter
 * @param refusal error of the database; null unless the job was deferred
 */
public record ReapedJob(
        Lease lease,
        String jobType,
        @Nullable UUID organizationId,
        Result result,
        @Nullable Instant nextRunAt,
        @Nullable RunledgerException refusal) {
    public enum Result {
        /** The handler had not started. The job was returned to the queue and the attempt does not count. */
        RELEASED,
        /** A retry is scheduled. */
        RETRY_SCHEDULED,
        /** No attempts were left, or the retry policy does not retry expired leases. */
        DEAD_LETTERED,
        /**
         * The database rejected the change, for example because of a trigger or constraint that the application added.
         * The lease has expired nevertheless. The reaper tries again after {@code nextRunAt}.
         */
        DEFERRED
    }
}
