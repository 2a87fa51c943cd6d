package io.runledger.model.job;

import java.util.List;

/**
 * The jobs that an operation on a selection would change if it were called now.
 *
 * @param count number of jobs, at most 10,000
 * @param isAtLeast whether there may be more jobs: the count has reached 10,000, or the selection passes so many other
 *     jobs that the count was stopped
 * @param sample up to ten of the jobs, in the order in which the operation would reach them
 */
public record SelectionPreview(long count, boolean isAtLeast, List<JobSummary> sample) {
    public SelectionPreview {
        sample = List.copyOf(sample);
    }
}
