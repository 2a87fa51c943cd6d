package io.runledger.model.state;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a look through the whole ledger found.
 *
 * @param jobs jobs looked at
 * @param attempts their ended attempts
 * @param runs workflow runs looked at
 * @param steps their steps
 * @param contradictions what cannot be true, by rule; none in a ledger that only the library has written
 */
public record Verification(long jobs, long attempts, long runs, long steps, List<Contradiction> contradictions) {
    /**
     * Keeps a copy of the contradictions.
     *
     * @param jobs see the record
     * @param attempts see the record
     * @param runs see the record
     * @param steps see the record
     * @param contradictions see the record
     */
    public Verification {
        contradictions = List.copyOf(contradictions);
    }

    /**
     * Whether everything agrees.
     *
     * @return true when there are no contradictions
     */
    public boolean isSound() {
        return contradictions.isEmpty();
    }

    /** Says how much was looked at, and each contradiction on a line of its own. */
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
