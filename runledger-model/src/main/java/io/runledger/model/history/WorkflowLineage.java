package io.runledger.model.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a run, and its recoveries.
 *
 * @param recoveredFrom recovery that created this run, if any
 * @param recoveries recoveries of this run, oldest first, limited to the last 1,000; unmodifiable
 */
public record WorkflowLineage(@Nullable WorkflowRecovery recoveredFrom, List<WorkflowRecovery> recoveries) {
    /** The maximum number of recoveries listed. */
    public static final int MAX_ENTRIES = 1_000;

    public WorkflowLineage {
        recoveries = List.copyOf(recoveries);
    }
}
