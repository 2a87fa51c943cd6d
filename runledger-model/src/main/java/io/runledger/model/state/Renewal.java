package io.runledger.model.state;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a lease that was to be renewed.
 *
 * @param lease the lease
 * @param answer whether it is still held
 * @param expiresAt when it ends now; null unless renewed
 */
public record Renewal(Lease lease, Answer answer, @Nullable Instant expiresAt) {
    /** Whether a lease is still held. */
    public enum Answer {
        /** Renewed. */
        RENEWED,
        /**
         * Not renewed: somebody else's transaction holds the job's row. The lease is held until it expires; ask again soon, and before
         * that.
         */
        BUSY,
        /** Expired, finished or taken over: stop working, nothing more can be written. */
        LOST,
        /** The job was called off: stop working. */
        CANCELED
    }
}
