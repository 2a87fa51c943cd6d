package io.runledger.model.state;

import java.util.List;

/**
 * Everything the ledger knows about a job, as of one moment. Each list is in the order things happened, unmodifiable, and holds
 * the last 1,000 when there are more.
 *
 * @param job the job as it stands; its {@link Job#openAttempt()} is the attempt that runs now
 * @param attempts the ended attempts
 * @param events what happened
 * @param logs what its handlers wrote
 * @param deadLetters each time it gave up
 * @param lineage where it comes from and what came from it
 */
public record JobStory(
        Job job,
        List<Attempt> attempts,
        List<JobEvent> events,
        List<JobLogLine> logs,
        List<DeadLetter> deadLetters,
        JobLineage lineage) {
    /** The most entries a list holds. */
    public static final int MAX_ENTRIES = 1_000;

    /**
     * Copies the lists.
     *
     * @param job see the record
     * @param attempts see the record
     * @param events see the record
     * @param logs see the record
     * @param deadLetters see the record
     * @param lineage see the record
     */
    public JobStory {
        attempts = List.copyOf(attempts);
        events = List.copyOf(events);
        logs = List.copyOf(logs);
        deadLetters = List.copyOf(deadLetters);
    }
}
