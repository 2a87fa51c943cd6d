package io.runledger.model.flow;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The use of a limit by all jobs, or by those of one key.
 *
 * @param key the key, the id of the organization, or {@code global}; null for a limit without keys
 * @param inUse permits in use: running jobs
 * @param waiting jobs that are due and wait, for a permit or for something else
 * @param moreWaiting whether more jobs may wait: of each job type, a limited number is looked at
 * @param holders running jobs, those with the oldest leases first; not all if there are many. Unmodifiable
 * @param nextBegin when the rate allows the next job to begin; null if it does now, or if there is no rate
 */
public record LimitUsage(
        @Nullable String key,
        int inUse,
        int waiting,
        boolean moreWaiting,
        List<LimitHolder> holders,
        @Nullable Instant nextBegin) {
    public LimitUsage {
        holders = List.copyOf(holders);
    }
}
