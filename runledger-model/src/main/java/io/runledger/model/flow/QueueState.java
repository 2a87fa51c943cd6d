package io.runledger.model.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A queue: the jobs that wait and run in it, and what an operator has set.
 *
 * @param waiting waiting jobs, including those that are due later; counted up to {@value #MOST_WAITING}
 * @param moreWaiting whether there are more waiting jobs than that
 * @param running running jobs
 * @param oldestDue due time of the job that is due longest, among the counted ones; null if none is due
 * @param paused whether the queue is paused: its jobs are not claimed
 * @param values permits and rate that an operator gave the queue; they apply unless it is paused
 */
public record QueueState(
        String name,
        int waiting,
        boolean moreWaiting,
        int running,
        @Nullable Instant oldestDue,
        boolean paused,
        LimitValues values) {
    /** Waiting jobs are counted up to this number. */
    public static final int MOST_WAITING = 1_000;
}
