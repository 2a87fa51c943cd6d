package io.runledger.model.ledger;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The result of a consistency check of the ledger.
 *
 * @param jobs number of checked jobs
 * @param attempts number of their ended attempts
 * @param runs number of checked workflow runs
 * @param steps number of their steps
 * @param contradictions inconsistencies, by rule; empty if only the library has written to the ledger
 */
public record Verification(long jobs, long attempts, long runs, long steps, List<Contradiction> contradictions) {
    public Verification {
        contradictions = List.copyOf(contradictions);
    }

    /** Whether there are no contradictions. */
    public boolean isSound() {
        return contradictions.isEmpty();
    }

    /** The counts, and each contradiction on its own line. */
    @Override
    public String toString() {
        return "%d jobs with %d attempts and %d runs with %d steps: %s"
                .formatted(
                        jobs,
                        attempts,
                        runs,
                        steps,
                        isSound()
                                ? "sound"
                                : contradictions.stream()
                                        .map(Contradiction::toString)
                                        .collect(Collectors.joining("\n", "\n", "")));
    }
}
