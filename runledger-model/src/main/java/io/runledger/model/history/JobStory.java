package io.runledger.model.history;

import io.runledger.model.job.Attempt;
import io.runledger.model.job.DeadLetter;
import io.runledger.model.job.Job;
import io.runledger.model.job.JobLogLine;
import java.util.List;

/**
 * A job with its complete history, read in one snapshot. Each list is in chronological order, unmodifiable, and limited
 * to the last 1,000 entries.
 *
 * @param job current state of the job; {@link Job#openAttempt()} is the running attempt
 * @param attempts ended attempts
 * @param logs log lines of the handlers
 * @param deadLetters one entry for each time the job became a dead letter
 */
public record JobStory(
        Job job,
        List<Attempt> attempts,
        List<JobEvent> events,
        List<JobLogLine> logs,
        List<DeadLetter> deadLetters,
        JobLineage lineage) {
    /** The maximum number of entries of a list. */
    public static final int MAX_ENTRIES = 1_000;

    public JobStory {
        attempts = List.copyOf(attempts);
        events = List.copyOf(events);
        logs = List.copyOf(logs);
        deadLetters = List.copyOf(deadLetters);
    }
}
