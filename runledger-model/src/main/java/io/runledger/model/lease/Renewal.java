package io.runledger.model.lease;

import io.runledger.model.job.Lease;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of a lease renewal.
 *
 * @param expiresAt new expiry; null unless the lease was renewed
 */
public record Renewal(Lease lease, Answer answer, @Nullable Instant expiresAt) {
    public enum Answer {
        /** The lease was renewed. */
        RENEWED,
        /**
         * Not renewed: another transaction locks the job's row. The worker holds the lease until it expires. Renew
         * again before then.
         */
        BUSY,
        /**
         * The lease expired, the job ended or another worker claimed it. Stop working; further writes have no effect.
         */
        LOST,
        /** The job was canceled. Stop working. */
        CANCELED
    }
}
