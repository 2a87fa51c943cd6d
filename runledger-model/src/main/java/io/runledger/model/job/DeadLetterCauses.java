package io.runledger.model.job;

import java.util.List;

/**
 * The open dead letters of a scope, grouped by cause. Open dead letters are those of jobs that are dead-lettered now.
 *
 * @param causes the largest group first
 * @param read number of dead letters that were read and grouped
 * @param isComplete whether every open dead letter of the scope was read and every cause is listed. If false, the
 *     newest dead letters were read, or the causes were cut at the limit of the call
 */
public record DeadLetterCauses(List<DeadLetterCause> causes, long read, boolean isComplete) {
    public DeadLetterCauses {
        causes = List.copyOf(causes);
    }
}
