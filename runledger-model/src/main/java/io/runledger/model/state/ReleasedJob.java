package io.runledger.model.state;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a lease that was to be given back.
 *
 * @param lease the lease
 * @param nextRunAt when the job is due again; null when the lease was lost before and nothing was changed
 */
public record ReleasedJob(Lease lease, @Nullable Instant nextRunAt) {
    /**
     * Whether it was given back.
     *
     * @return false when somebody else had ended, canceled or taken the job
     */
    public boolean isReleased() {
        return nextRunAt != null;
    }
}
