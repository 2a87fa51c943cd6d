package io.runledger.model.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a run comes from and what came from it.
 *
 * @param recoveredFrom the ended run it does again, if any
 * @param recoveries the runs that do it again, oldest first, the last 1,000 when there are more; unmodifiable
 */
public record WorkflowLineage(@Nullable WorkflowRecovery recoveredFrom, List<WorkflowRecovery> recoveries) {
    /** The most recoveries listed. */
    public static final int MAX_ENTRIES = 1_000;

    /**
     * Copies the recoveries.
     *
     * @param recoveredFrom see the record
     * @param recoveries see the record
     */
    public WorkflowLineage {
        recoveries = List.copyOf(recoveries);
    }
}
